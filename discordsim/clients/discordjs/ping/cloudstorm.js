'use strict';

// docs/testing-your-bot.md shows the lines from here on.
const { Client } = require('cloudstorm');
const { SnowTransfer } = require('snowtransfer');

const token = process.env.DISCORD_TOKEN;
const rest = new SnowTransfer(token, { baseHost: process.env.DISCORD_URL ?? 'https://discord.com' });
const client = new Client(token, { intents: ['GUILDS'], snowtransferInstance: rest });
// docs/testing-your-bot.md shows the lines up to here.
client.on('event', async ({ t: name, d: i }) => {
  if (name === 'READY') return rest.interaction.bulkOverwriteApplicationCommands(i.application.id, [{ name: 'ping', description: 'Says pong' }]);
  if (name !== 'INTERACTION_CREATE') return;
  const answer = (type, data) => rest.interaction.createInteractionResponse(i.id, i.token, { type, data });
  if (i.type === 2) return answer(4, { content: 'pong', components: [buttons] });
  if (i.type === 5) return answer(4, { content: 'hello ' + i.data.components[0].components[0].value, flags: 64 });
  if (i.data.custom_id === 'name') return answer(9, form);
  await answer(6);
  await rest.interaction.editOriginalInteractionResponse(i.application_id, i.token, { content: 'pong again' });
});
client.connect();

const buttons = {
  type: 1,
  components: [{ type: 2, style: 1, label: 'Again', custom_id: 'again' }, { type: 2, style: 1, label: 'Name', custom_id: 'name' }],
};
const form = {
  title: 'Who are you?', custom_id: 'form',
  components: [{ type: 1, components: [{ type: 4, style: 1, custom_id: 'name', label: 'Name' }] }],
};
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
