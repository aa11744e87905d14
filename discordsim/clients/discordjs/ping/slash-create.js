'use strict';

const { serve } = require('./serve.js');

// docs/testing-your-bot.md shows the lines from here on.
const { GenericServer, SlashCommand, SlashCreator } = require('slash-create');

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const creator = new SlashCreator({
  applicationID: process.env.APPLICATION_ID, publicKey: process.env.PUBLIC_KEY, token: process.env.DISCORD_TOKEN,
  rest: { baseURL: discord + '/api/v10' },
});
// docs/testing-your-bot.md shows the lines up to here.
const answers = new GenericServer();
creator.withServer(answers).registerCommand(class extends SlashCommand {
  constructor(creator) { super(creator, { name: 'ping', description: 'Says pong' }); }
  async run(ctx) { await ctx.send({ content: 'pong', components: [buttons] }); }
});
creator.on('componentInteraction', async (ctx) => {
  if (ctx.customID === 'name') return ctx.sendModal(form);
  await ctx.acknowledge();
  await ctx.editParent('pong again');
});
creator.on('modalInteraction', (ctx) => ctx.send({ content: 'hello ' + ctx.values.name, ephemeral: true }));
creator.syncCommands();

const buttons = {
  type: 1,
  components: [{ type: 2, style: 1, label: 'Again', custom_id: 'again' }, { type: 2, style: 1, label: 'Name', custom_id: 'name' }],
};
const form = {
  title: 'Who are you?', custom_id: 'form',
  components: [{ type: 1, components: [{ type: 4, style: 1, custom_id: 'name', label: 'Name' }] }],
};
serve((request) => answers.endpoint(request));
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
