package discordsim

import (
	"tictactoe/discordsim/faults"
	"tictactoe/discordsim/gateway"
	"tictactoe/discordsim/people"
	"tictactoe/discordsim/rest"
	"tictactoe/discordsim/transcript"
	"tictactoe/discordsim/world"
)

// The people, and the results of their actions.
type (
	User       = people.User
	Button     = people.Button
	Note       = people.Note
	File       = people.File
	Result     = world.Result
	Status     = world.Status
	Modal      = world.Modal
	Load       = people.Load
	LoadReport = people.LoadReport
)

// Servers, channels and people to add or change, and the clock.
type (
	Person       = world.Person
	PersonChange = world.PersonChange
	Server       = world.Server
	Room         = world.Room
	RoomChange   = world.RoomChange
	ForumSpec    = world.ForumSpec
	GroupSpec    = world.GroupSpec
	ForumChange  = world.ForumChange
	TagSpec      = world.TagSpec
	Membership   = world.Membership
	RoleSpec     = world.RoleSpec
	RoleChange   = world.RoleChange
	CommandRule  = world.CommandRule
	PollSpec     = world.PollSpec
	Permission   = world.Permission
	Overwrite    = world.Overwrite
	Clock        = world.Clock
)

// Discord's objects. Package world has the types of their fields.
type (
	Command   = world.Command
	Component = world.Component
	Emoji     = world.Emoji
	Message   = world.Message
	Poll      = world.Poll
	Role      = world.Role
)

// Faults and records.
type (
	Faults           = faults.Faults
	Attendance       = gateway.Attendance
	Exchange         = rest.Exchange
	Line             = transcript.Line
	TranscriptFilter = transcript.Filter
)

// The statuses of an interaction.
const (
	Held     = world.Held
	Answered = world.Answered
	Deferred = world.Deferred
	Failed   = world.Failed
	TimedOut = world.TimedOut
)

// The values of Faults.Hello, Faults.AfterIdentify and Faults.RESTLimit.
const (
	HelloReconnect                = faults.HelloReconnect
	HelloACK                      = faults.HelloACK
	HelloWithUpgrade              = faults.HelloWithUpgrade
	AfterIdentifyReconnect        = faults.AfterIdentifyReconnect
	AfterIdentifyInvalid          = faults.AfterIdentifyInvalid
	AfterIdentifyInvalidResumable = faults.AfterIdentifyInvalidResumable
	LimitGlobal                   = faults.LimitGlobal
	LimitGlobalBare               = faults.LimitGlobalBare
	LimitShared                   = faults.LimitShared
	LimitHTML                     = faults.LimitHTML
)

// The permissions used by the simulator.
const (
	KickMembers            = world.KickMembers
	BanMembers             = world.BanMembers
	Administrator          = world.Administrator
	ManageChannels         = world.ManageChannels
	ManageGuild            = world.ManageGuild
	AddReactions           = world.AddReactions
	ViewAuditLog           = world.ViewAuditLog
	ViewChannel            = world.ViewChannel
	SendMessages           = world.SendMessages
	SendTTSMessages        = world.SendTTSMessages
	ManageMessages         = world.ManageMessages
	EmbedLinks             = world.EmbedLinks
	AttachFiles            = world.AttachFiles
	ReadMessageHistory     = world.ReadMessageHistory
	MentionEveryone        = world.MentionEveryone
	UseExternalEmojis      = world.UseExternalEmojis
	ChangeNickname         = world.ChangeNickname
	ManageNicknames        = world.ManageNicknames
	ManageRoles            = world.ManageRoles
	ManageWebhooks         = world.ManageWebhooks
	UseApplicationCommands = world.UseApplicationCommands
	ManageThreads          = world.ManageThreads
	CreatePublicThreads    = world.CreatePublicThreads
	CreatePrivateThreads   = world.CreatePrivateThreads
	SendMessagesInThreads  = world.SendMessagesInThreads
	ModerateMembers        = world.ModerateMembers
	SendVoiceMessages      = world.SendVoiceMessages
	SendPolls              = world.SendPolls
	UseExternalApps        = world.UseExternalApps
	PinMessages            = world.PinMessages
	BypassSlowMode         = world.BypassSlowMode
)

// The errors of a person's action and of a simulator, apart from errors for invalid calls.
var (
	// ErrNotFound means that there is no such user, channel, message, command or
	// interaction, or that the acting person cannot see it.
	ErrNotFound = world.ErrNotFound
	// ErrUnavailable means that a button or select is disabled or does not exist.
	ErrUnavailable = world.ErrUnavailable
	// ErrAmbiguous means that several applications have a command of the given name.
	ErrAmbiguous = people.ErrAmbiguous
	// ErrClosed means that the simulator has been closed.
	ErrClosed = world.ErrClosed
	// ErrDamaged means that a file is not a state file, or is damaged before its end.
	ErrDamaged = world.ErrDamaged
	// ErrInUse means that another simulator uses the state file.
	ErrInUse = world.ErrInUse
	// ErrEndpoint means that an interactions endpoint failed Discord's verification.
	ErrEndpoint = rest.ErrEndpoint
)

// ParsePermissions returns the set of the permissions with the given Discord names, such as SEND_MESSAGES, or numbers.
func ParsePermissions(names ...string) (Permission, error) { return world.ParsePermissions(names...) }
