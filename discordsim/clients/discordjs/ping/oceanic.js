'use strict';

// docs/testing-your-bot.md shows the lines from here on.
const { Client, InteractionTypes, MessageFlags } = require('oceanic.js');

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const client = new Client({
  auth: 'Bot ' + process.env.DISCORD_TOKEN, gateway: { intents: ['GUILDS'] }, rest: { baseURL: discord + '/api/v10' },
});
// docs/testing-your-bot.md shows the lines up to here.
client.once('ready', () => client.application.bulkEditGlobalCommands([{ type: 1, name: 'ping', description: 'Says pong' }]));
client.on('interactionCreate', async (i) => {
  if (i.type === InteractionTypes.APPLICATION_COMMAND) return i.createMessage({ content: 'pong', components: [buttons] });
  if (i.type === InteractionTypes.MODAL_SUBMIT) return i.createMessage({ content: 'hello ' + i.data.components.getTextInput('name'), flags: MessageFlags.EPHEMERAL });
  if (i.data.customID === 'name') return i.createModal(form);
  await i.deferUpdate();
  await i.editOriginal({ content: 'pong again' });
});
client.on('error', console.error);
client.connect();

const buttons = {
  type: 1,
  components: [{ type: 2, style: 1, label: 'Again', customID: 'again' }, { type: 2, style: 1, label: 'Name', customID: 'name' }],
};
const form = {
  title: 'Who are you?', customID: 'form',
  components: [{ type: 1, components: [{ type: 4, style: 1, customID: 'name', label: 'Name' }] }],
};
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
