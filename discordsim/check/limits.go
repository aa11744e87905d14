package check

// Discord's limits. Lengths are in characters (code points), not bytes. Sources: Discord's OpenAPI description and, where it
// states no limit or a wider one, the developer documentation.
const (
	maxCustomID    = 100
	maxComponentID = 1<<31 - 1
	maxURL         = 2048
	maxColor       = 0xFFFFFF

	maxContent      = 2000 // the description says 4000 for channels, which applies to subscribers, not to bots
	maxNonce        = 25
	maxStickers     = 3
	MaxAttachments  = 10
	MaxFileSize     = 10 << 20 // bytes
	maxMentioned    = 100      // users, and the same number of roles; see allowedMentions
	maxFlags        = 1<<53 - 1
	maxNestedWidth  = 5 // an action row holds five buttons or one select
	maxRows         = 5 // action rows of a message without Components V2
	maxComponents   = 40
	maxTextDisplay  = 4000
	maxTotalText    = 4000
	maxSectionTexts = 3
	maxGallery      = 10
	maxAltText      = 1024
	maxFileText     = 1024 // the name, title and description of a file
	maxWaveform     = 400
	maxWebhookName  = 80
	maxRoleName     = 100 // also the maximum length of the role's emoji
	MaxNick         = 32
	maxMemberRoles  = 350
	maxThreadName   = 100
	maxTopic        = 4096   // the topic of a forum
	MaxTopic        = 1024   // the topic of other channels
	maxForgotten    = 604800 // seconds of messages that a ban deletes
	maxBulkBan      = 200
	MaxOverrides    = 100
	MaxPostTags     = 5
	MaxForumTags    = 20
	MaxTagName      = 20 // the description says 50
	maxThemeColors  = 5
	themeColor      = 6 // hexadecimal digits
	maxReason       = 255

	maxQuestion  = 300
	maxAnswers   = 10
	maxAnswer    = 55 // the description says 300
	maxPollHours = 768

	maxButtonLabel = 80
	maxButtonURL   = 512
	maxEmojiName   = 32
	maxPlaceholder = 150
	maxOptions     = 25 // options of a select, and the maximum of its min_values, max_values and default_values
	maxOptionText  = 100

	minUsername     = 2
	maxUsername     = 32
	maxGroupMembers = 1521 // access tokens of a group DM; this is the description's own number

	maxEmbeds      = 10
	maxEmbedTotal  = 6000 // total over all embeds of a message
	maxEmbedTitle  = 256
	maxEmbedText   = 4096
	maxEmbedFields = 25
	maxFieldName   = 256
	maxFieldValue  = 1024
	maxFooter      = 2048
	maxAuthor      = 256
	maxProvider    = 256
	maxEmbedType   = 152133 // this is the description's own number
	maxPlaceHash   = 64     // the placeholder of a picture, a thumbhash

	maxModalTitle       = 45
	maxModalComponents  = 5
	maxInputLabel       = 45
	maxInputText        = 4000
	maxInputPlaceholder = 100
	maxLabelDescription = 100
	maxUploads          = 10 // files in a file upload component
	maxFileTypes        = 10 // file types of a file upload component
	maxFileType         = 100
	minRadios           = 2
	maxGroup            = 10 // options of a radio group or checkbox group

	maxCommandName        = 32
	maxCommandDescription = 100
	maxCommandOptions     = 25 // also the subcommands of a command or group
	maxChoices            = 25
	maxChoiceText         = 100
	maxCommandSize        = 8000
	maxStringOption       = 6000
	maxSafeInteger        = 1<<53 - 1
	maxListedRoles        = 250
	maxPermissions        = 1<<54 - 1
	maxChatCommands       = 100
	maxUserCommands       = 15
	maxMessageCommands    = 15
	maxEntryPointCommands = 1
)
