'use strict';

// docs/testing-your-bot.md shows the lines from here on.
const { Client, GatewayDispatchEvents, GatewayIntentBits, InteractionType, MessageFlags } = require('@discordjs/core');
const { REST } = require('@discordjs/rest');
const { WebSocketManager } = require('@discordjs/ws');

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const token = process.env.DISCORD_TOKEN;
const rest = new REST({ api: discord + '/api' }).setToken(token);
const gateway = new WebSocketManager({ token, intents: GatewayIntentBits.Guilds, rest });
const client = new Client({ rest, gateway });
// docs/testing-your-bot.md shows the lines up to here.
client.once(GatewayDispatchEvents.Ready, ({ data, api }) =>
  api.applicationCommands.bulkOverwriteGlobalCommands(data.application.id, [{ name: 'ping', description: 'Says pong' }]));
client.on(GatewayDispatchEvents.InteractionCreate, async ({ data: i, api: { interactions } }) => {
  if (i.type === InteractionType.ApplicationCommand) return interactions.reply(i.id, i.token, { content: 'pong', components: [buttons] });
  if (i.type === InteractionType.ModalSubmit) return interactions.reply(i.id, i.token, { content: 'hello ' + filled(i), flags: MessageFlags.Ephemeral });
  if (i.data.custom_id === 'name') return interactions.createModal(i.id, i.token, form);
  await interactions.deferMessageUpdate(i.id, i.token);
  await interactions.editReply(i.application_id, i.token, { content: 'pong again' });
});
gateway.connect();

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
