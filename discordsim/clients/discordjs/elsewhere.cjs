// For `node --require`: bots on discord.js that were not written for it talk to DISCORD_URL instead of Discord.
'use strict';

require('@discordjs/rest').DefaultRestOptions.api = process.env.DISCORD_URL + '/api';
process.stdin.resume().on('end', () => process.exit()); // whoever started it is gone
