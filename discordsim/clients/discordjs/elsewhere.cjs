// For `node --require`: makes an unmodified bot on discord.js connect to DISCORD_URL instead of Discord.
'use strict';

require('@discordjs/rest').DefaultRestOptions.api = process.env.DISCORD_URL + '/api';
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
