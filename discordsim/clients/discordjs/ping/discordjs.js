'use strict';

// docs/testing-your-bot.md shows the lines from here on.
const { Client, Events, GatewayIntentBits, MessageFlags } = require('discord.js');

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discord + '/api' } });
// docs/testing-your-bot.md shows the lines up to here.
client.once(Events.ClientReady, () => client.application.commands.set([{ name: 'ping', description: 'Says pong' }]));
client.on(Events.InteractionCreate, async (i) => {
  if (i.isChatInputCommand()) return i.reply({ content: 'pong', components: [buttons] });
  if (i.isModalSubmit()) return i.reply({ content: 'hello ' + i.fields.getTextInputValue('name'), flags: MessageFlags.Ephemeral });
  if (i.customId === 'name') return i.showModal(form);
  await i.deferUpdate();
  await i.editReply('pong again');
});
client.login(process.env.DISCORD_TOKEN);

const buttons = {
  type: 1,
  components: [{ type: 2, style: 1, label: 'Again', customId: 'again' }, { type: 2, style: 1, label: 'Name', customId: 'name' }],
};
const form = {
  title: 'Who are you?', customId: 'form',
  components: [{ type: 1, components: [{ type: 4, style: 1, customId: 'name', label: 'Name' }] }],
};
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
