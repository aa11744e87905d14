// The demo bot on discord.js. The Go package clients describes its commands, and tests the simulator with it.
'use strict';

const {
  ApplicationCommandOptionType: Option, ApplicationCommandType: Command, ButtonStyle, Client, ComponentType: Component,
  Events, GatewayIntentBits, MessageFlags, TextInputStyle,
} = require('discord.js');

const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: process.env.DISCORD_URL + '/api' } });

let ready = 0, resumed = 0; // numbers of READY and RESUMED events
client.on(Events.ShardReady, () => ready++);
client.on(Events.ShardResume, () => resumed++);
client.on(Events.Error, console.error);
client.on(Events.ShardError, console.error);
client.once(Events.ClientReady, () => client.application.commands.set(commands()));
client.on(Events.InteractionCreate, (i) => handle(i).catch(console.error));
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
client.login(process.env.DISCORD_TOKEN);

function commands() {
  const option = (type, name, more) => ({ type, name, description: name, ...more });
  const sub = (name) => option(Option.Subcommand, name);
  const slash = (name, ...options) => ({ name, description: name, options });
  const count = option(Option.Integer, 'count');
  return [
    slash('echo', option(Option.String, 'text', { required: true }), count, option(Option.Number, 'ratio'), option(Option.Boolean, 'loud'),
      option(Option.User, 'user'), option(Option.Channel, 'channel'), option(Option.Role, 'role'),
      option(Option.Mentionable, 'anybody'), option(Option.Attachment, 'file')),
    slash('colour', option(Option.String, 'name', { required: true, autocomplete: true })),
    slash('show', sub('buttons'), sub('selects'), sub('embed'), sub('layout'), sub('file')),
    slash('form', sub('rows'), sub('labels')),
    slash('reply', option(Option.SubcommandGroup, 'now', { options: [sub('twice'), sub('gone'), sub('edited')] }),
      option(Option.SubcommandGroup, 'later', { options: [sub('public'), sub('private'), sub('layout')] })),
    slash('burst', { ...count, required: true }),
    slash('about'),
    { name: 'Wave at', type: Command.User },
    { name: 'Quote', type: Command.Message },
  ].map((command) => ({ ...command, integrationTypes: [0, 1], contexts: [0, 1, 2] }));
}

const row = (...components) => ({ type: Component.ActionRow, components });
const button = (label) => ({ type: Component.Button, style: ButtonStyle.Primary, label, customId: '/' + label.toLowerCase() });
const text = (content) => ({ type: Component.TextDisplay, content });
const label = (text, component) => ({ type: Component.Label, label: text, component });
const whisper = (content) => ({ content, flags: MessageFlags.Ephemeral });

async function handle(i) {
  if (i.isAutocomplete()) {
    const typed = i.options.getFocused();
    return i.respond(['red', 'green', 'grey'].filter((name) => name.startsWith(typed)).map((name) => ({ name, value: name })));
  }
  if (i.isUserContextMenuCommand()) return i.reply(whisper('waved at ' + i.targetUser.username));
  if (i.isMessageContextMenuCommand()) return i.reply('> ' + i.targetMessage.content);
  if (i.isChatInputCommand()) {
    const path = [i.commandName, i.options.getSubcommandGroup(false), i.options.getSubcommand(false)].filter(Boolean).join(' ');
    return slashes[path](i);
  }
  if (i.isButton()) return buttons[i.customId](i);
  if (i.isAnySelectMenu()) return i.reply(whisper(i.customId.slice('/select/'.length) + ': ' + picked(i).join(' ')));
  if (i.isModalSubmit()) {
    const fields = i.fields.fields;
    const filled = ['name', 'why', 'colour'].filter((id) => fields.has(id)).map((id) => fields.get(id).value ?? fields.get(id).values.join(' ')).join(', ');
    return i.isFromMessage() ? i.update(filled) : i.reply(filled);
  }
}

const slashes = {
  'echo': (i) => {
    const get = {
      text: i.options.getString('text'), count: i.options.getInteger('count'), ratio: i.options.getNumber('ratio'),
      loud: i.options.getBoolean('loud'), user: i.options.getUser('user')?.username, channel: i.options.getChannel('channel')?.name,
      role: i.options.getRole('role')?.name, anybody: i.options.getMentionable('anybody')?.user.username,
      file: i.options.getAttachment('file')?.name,
    };
    return i.reply(Object.entries(get).filter(([, value]) => value != null).map(([name, value]) => `${name}=${value}`).join(' '));
  },
  'colour': (i) => i.reply(i.options.getString('name')),
  'about': (i) => i.reply(`ready ${ready}, resumed ${resumed}`),
  'show buttons': (i) => i.reply({ content: 'press one', components: [row(button('Update'), button('Later'), button('Whisper'), button('Form'))] }),
  'show selects': (i) => i.reply({
    content: 'pick some',
    components: Object.entries({
      string: Component.StringSelect, user: Component.UserSelect, role: Component.RoleSelect,
      mentionable: Component.MentionableSelect, channel: Component.ChannelSelect,
    }).map(([name, type]) => row({
      type, customId: '/select/' + name, maxValues: 2,
      ...(name === 'string' && { options: [{ label: 'A', value: 'a' }, { label: 'B', value: 'b' }] }),
    })),
  }),
  'show embed': (i) => i.reply({
    embeds: [{ title: 'Title', description: 'Text', color: 0x298137, fields: [{ name: 'one', value: '1', inline: true }] }],
  }),
  'show layout': (i) => i.reply({
    flags: MessageFlags.IsComponentsV2,
    components: [{
      type: Component.Container,
      components: [text('# Layout'), { type: Component.Separator },
        { type: Component.Section, components: [text('text')], accessory: button('Whisper') }],
    }],
  }),
  'show file': (i) => i.reply({ content: 'a file', files: [{ name: 'board.txt', attachment: Buffer.from('X.O\n') }] }),
  'form rows': (i) => i.showModal({
    customId: '/form', title: 'Form',
    components: [
      row({ type: Component.TextInput, customId: 'name', label: 'Name', style: TextInputStyle.Short, required: true }),
      row({ type: Component.TextInput, customId: 'why', label: 'Why', style: TextInputStyle.Paragraph, value: 'because' }),
    ],
  }),
  'form labels': (i) => i.showModal({
    customId: '/form', title: 'Form',
    components: [
      label('Name', { type: Component.TextInput, customId: 'name', style: TextInputStyle.Short, required: true }),
      label('Why', { type: Component.TextInput, customId: 'why', style: TextInputStyle.Paragraph, value: 'because' }),
      label('Colour', { type: Component.StringSelect, customId: 'colour', options: [{ label: 'Red', value: 'red' }, { label: 'Grey', value: 'grey' }] }),
    ],
  }),
  'reply now twice': async (i) => {
    await i.reply('first');
    await i.followUp('second');
    await i.followUp(whisper('third'));
  },
  'reply now gone': async (i) => {
    await i.reply('gone');
    await i.deleteReply();
  },
  'reply now edited': async (i) => {
    const { resource } = await i.reply({ content: 'first', withResponse: true });
    const channel = await client.channels.fetch(i.channelId);
    await channel.messages.edit(resource.message.id, 'edited by its channel');
  },
  'reply later public': async (i) => {
    await i.deferReply();
    await i.editReply('later');
  },
  'reply later private': async (i) => {
    await i.deferReply({ flags: MessageFlags.Ephemeral });
    await i.editReply('later');
  },
  'reply later layout': async (i) => {
    await i.deferReply();
    await i.editReply({ flags: MessageFlags.IsComponentsV2, components: [text('later')] });
  },
  'burst': async (i) => {
    await i.deferReply();
    for (let n = 1; n <= i.options.getInteger('count'); n++) await i.channel.send(String(n));
    await i.editReply('done');
  },
};

const buttons = {
  '/update': (i) => i.update(`updated by ${i.user.username}`),
  '/later': async (i) => {
    await i.deferUpdate();
    await i.editReply(`later by ${i.user.username}`);
  },
  '/whisper': (i) => i.reply(whisper(`psst, ${i.user.username}`)),
  '/form': slashes['form labels'],
};

// picked returns the names of the selected values.
function picked(i) {
  return i.values.map((id) => i.users?.get(id)?.username ?? i.roles?.get(id)?.name ?? i.channels?.get(id)?.name ?? id);
}
