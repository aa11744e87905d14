'use strict';

// docs/testing-your-bot.md shows the lines from here on.
const Eris = require('eris');
const https = require('node:https');

const discord = new URL(process.env.DISCORD_URL ?? 'https://discord.com');
const agent = new https.Agent({ host: discord.hostname, port: discord.port || 443 }); // eris itself knows no port
const client = new Eris.Client('Bot ' + process.env.DISCORD_TOKEN, {
  intents: ['guilds'], rest: { domain: discord.host, baseURL: '/api/v10', agent },
});
// docs/testing-your-bot.md shows the lines up to here.
client.once('ready', () => client.bulkEditCommands([{ type: 1, name: 'ping', description: 'Says pong' }]));
client.on('interactionCreate', async (i) => {
  if (i instanceof Eris.CommandInteraction) return i.createMessage({ content: 'pong', components: [buttons] });
  if (i instanceof Eris.ModalSubmitInteraction) return i.createMessage({ content: 'hello ' + filled(i), flags: 64 });
  if (i.data.custom_id === 'name') return i.createModal(form);
  await i.deferUpdate();
  await i.editOriginalMessage('pong again');
});
client.on('error', console.error);
client.connect();

const buttons = {
  type: 1,
  components: [{ type: 2, style: 1, label: 'Again', custom_id: 'again' }, { type: 2, style: 1, label: 'Name', custom_id: 'name' }],
};
const form = {
  title: 'Who are you?', custom_id: 'form',
  components: [{ type: 1, components: [{ type: 4, style: 1, custom_id: 'name', label: 'Name' }] }],
};
const filled = (i) => i.data.components[0].components[0].value;
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
