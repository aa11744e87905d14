'use strict';

// docs/testing-your-bot.md shows the lines from here on.
const { ApiHandler, Client, Command, ComponentCommand, Declare, ModalCommand } = require('seyfert');
const https = require('node:https');

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const token = process.env.DISCORD_TOKEN;
https.globalAgent.defaultPort = Number(new URL(discord).port || 443); // the gateway's address is taken without its port
const client = new Client({ getRC: () => ({ token, intents: ['Guilds'], locations: { base: '' } }) });
client.setServices({ rest: new ApiHandler({ token, domain: discord }) });
// docs/testing-your-bot.md shows the lines up to here.
client.commands.set([Declare({ name: 'ping', description: 'Says pong' })(class extends Command {
  run(ctx) { return ctx.write({ content: 'pong', components: [buttons] }); }
})]);
client.components.set([class extends ComponentCommand {
  componentType = 'Button';
  async run(ctx) {
    if (ctx.customId === 'name') return ctx.interaction.modal(form);
    await ctx.deferUpdate();
    await ctx.interaction.editResponse({ content: 'pong again' });
  }
}, class extends ModalCommand {
  customId = 'form';
  run(ctx) { return ctx.write({ content: 'hello ' + ctx.interaction.getInputValue('name'), flags: 64 }); }
}]);
client.start().then(() => client.uploadCommands());

const plain = (body) => ({ toJSON: () => body }); // stands for a builder, whose toJSON returns the body
const buttons = plain({
  type: 1,
  components: [{ type: 2, style: 1, label: 'Again', custom_id: 'again' }, { type: 2, style: 1, label: 'Name', custom_id: 'name' }],
});
const form = plain({
  title: 'Who are you?', custom_id: 'form',
  components: [{ type: 18, label: 'Name', component: { type: 4, style: 1, custom_id: 'name' } }], // seyfert's reader of forms only supports labels
});
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
