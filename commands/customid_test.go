package commands_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tictactoe/commands"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// thirtyThree holds more moves than a practice game can have.
const thirtyThree = "abcdefghiabcdefghiabcdefghiabcdef"

// These custom_ids must never change, because existing messages contain them.
var customIDs = map[string]view.Action{
	"play:1a2b3c:0:b2":         view.Play{Match: "1a2b3c", Square: "b2"},
	"play:vvvvvvvvvvvvv:24:e5": view.Play{Match: "vvvvvvvvvvvvv", Ply: 24, Square: "e5"},
	"accept:0":                 view.Accept{Challenge: "0"},
	"decline:1":                view.Decline{Challenge: "1"},
	"withdraw:1":               view.Withdraw{Challenge: "1"},
	"open:1":                   view.Open{Challenge: "1"},
	"resign:1:2":               view.Resign{Match: "1", Ply: 2},
	"rematch:1:999999999":      view.Rematch{Match: "1", Version: 999999999},
	"norematch:1:7":            view.DeclineRematch{Match: "1", Version: 7},
	"next:1":                   view.NextGame{Match: "1"},
	"easier:1:7":               view.Ease{Match: "1", Version: 7},
	"wish:1:7:back":            view.Wish{Match: "1", Ply: 7, Do: view.TakeBack},
	"computer:climb":           view.PlayComputer{Level: "climb"},
	"computer:unbeatable":      view.PlayComputer{Level: "unbeatable"},
	"computer:easy:drop-5x5":   view.PlayComputer{Level: "easy", Rules: "drop-5x5"},
	"show:1a":                  view.Show{Match: "1a"},
	"board:players:2":          view.TurnLeaderboard{Of: view.ByWins, Page: 2},
	"board:computer:1":         view.TurnLeaderboard{Of: view.VersusComputer, Page: 1},
	"board:players:0":          view.TurnLeaderboard{Of: view.ByWins},
	"board:computer:mine":      view.TurnLeaderboard{Of: view.VersusComputer, Mine: true},
	"board:rating:3":           view.TurnLeaderboard{Of: view.ByRating, Page: 3},
	"board:rating:1:drop-5x5":  view.TurnLeaderboard{Of: view.ByRating, Page: 1, Rules: "drop-5x5"},
	"board:rating:mine:4x4":    view.TurnLeaderboard{Of: view.ByRating, Mine: true, Rules: "4x4"},
	"board:players:2:4x4":      view.TurnLeaderboard{Of: view.ByWins, Page: 2, Rules: "4x4"},
	"board:levels:1:all:7":     view.TurnLeaderboard{Of: view.ByLevels, Page: 1, Season: "7"},
	"board:rating:mine:4x4:0":  view.TurnLeaderboard{Of: view.ByRating, Mine: true, Rules: "4x4", Season: "0"},
	"ranking:players":          view.PickRanking{Shown: view.TurnLeaderboard{Of: view.ByWins}},
	"ranking:moves:classic:2":  view.PickRanking{Shown: view.TurnLeaderboard{Of: view.ByMoves, Rules: "classic", Season: "2"}},
	"rankedon:rating:4x4":      view.PickBoard{Shown: view.TurnLeaderboard{Of: view.ByRating, Rules: "4x4"}},
	"rankedon:draws:all:12":    view.PickBoard{Shown: view.TurnLeaderboard{Of: view.ByDraws, Season: "12"}},
	"mentions:off":             view.SwitchMentions{On: false},
	"mentions:on":              view.SwitchMentions{On: true},
	"mentions:off:42":          view.SwitchMentions{On: false, Of: "42"},
	"settings:nobody":          view.ChangeSetting{Setting: view.TakeNoChallenges},
	"settings:everybody":       view.ChangeSetting{Setting: view.TakeChallenges},
	"settings:mentionsoff":     view.ChangeSetting{Setting: view.MentionsOff},
	"settings:mentionson":      view.ChangeSetting{Setting: view.MentionsOn},
	"settings:language":        view.ChangeSetting{Setting: view.LanguageMenu},
	"settings:languagetwo":     view.ChangeSetting{Setting: view.SecondLanguageMenu},
	"mysettings:languages":     view.ShowSettings{Page: view.LanguagesPage},
	"mysettings:all":           view.ShowSettings{Page: view.AllSettings},
	"settings:blocked":         view.ChangeSetting{Setting: view.BlockedUsers},
	"privacy:erase":            view.PersonalData{Request: view.EraseData},
	"privacy:export":           view.PersonalData{Request: view.ExportData},
	"review:1a":                view.Review{Match: "1a"},
	"review:1a:60":             view.Review{Match: "1a", Move: 60},
	"replay":                   view.PickReplay{},
	"walk:1a:0:first":          view.Walk{Match: "1a", Way: view.ToFirst},
	"walk:1a:60:next":          view.Walk{Match: "1a", Move: 60, Way: view.ToNext},
	"share:1a:gif":             view.Share{Match: "1a", As: view.ShareAnimation},
	"share:vvvvvvvvvvvvv:text": view.Share{Match: "vvvvvvvvvvvvv", As: view.ShareText},
	"post:1a:png":              view.PostShared{Match: "1a", As: view.SharePicture},
	"practice:1a:3:win":        view.Practice{Match: "1a", From: 3, Aim: view.AimWin},
	"practice:1a:0:draw:eay":   view.Practice{Match: "1a", Aim: view.AimDraw, Moves: "eay"},
	"practice:vvvvvvvvvvvvv:59:draw:" + thirtyThree: view.Practice{Match: "vvvvvvvvvvvvv", From: 59, Aim: view.AimDraw, Moves: thirtyThree},
	"wrong:1a":                     view.WentWrong{Match: "1a"},
	"hint:1a:24":                   view.Hint{Match: "1a", Ply: 24},
	"learn:fork":                   view.Learn{Lesson: "fork"},
	"learn:trap:c3":                view.Learn{Lesson: "trap", Square: "c3"},
	"lessons":                      view.ListLessons{},
	"lesson":                       view.PickLesson{},
	"topic":                        view.PickTopic{},
	"admin:policy:1":               view.OpenPage{Page: view.PolicyPage, Number: 1},
	"admin:running:2":              view.OpenPage{Page: view.RunningPage, Number: 2},
	"admin:ended:3":                view.OpenPage{Page: view.EndedPage, Number: 3},
	"admin:deeds:1":                view.OpenPage{Page: view.AuditLogPage, Number: 1},
	"admin:reset:1":                view.OpenPage{Page: view.ResetPage, Number: 1},
	"admin:season:1":               view.OpenPage{Page: view.SeasonPage, Number: 1},
	"admin:begin:4":                view.OpenPage{Page: view.BeginSeasonPage, Number: 4},
	"admin:puzzle:1":               view.OpenPage{Page: view.PuzzlePage, Number: 1},
	"solve:2026-11-23":             view.SolvePuzzle{Day: 20780},
	"daily:2026-11-23:0:b2":        view.PressPuzzle{Day: 20780, Square: "b2"},
	"daily:9999-12-31:99:e5":       view.PressPuzzle{Day: 2932896, Presses: 99, Square: "e5"},
	"puzzle:share:1970-01-01":      view.Puzzle{Do: view.SharePuzzle},
	"puzzle:list:2026-11-23":       view.Puzzle{Do: view.ListSolver, Day: 20780},
	"season:3":                     view.ShowSeason{Number: 3},
	"posted:2026-11-23:players":    view.ShowPosted{Day: 20780, Of: view.ByWins},
	"posted:2026-11-23:rating:4x4": view.ShowPosted{Day: 20780, Of: view.ByRating, Rules: "4x4"},
	"admin:posts:1":                view.OpenPage{Page: view.PostsPage, Number: 1},
	"seasons:players":              view.PickSeason{Shown: view.TurnLeaderboard{Of: view.ByWins}},
	"seasons:rating:infinite":      view.PickSeason{Shown: view.TurnLeaderboard{Of: view.ByRating, Rules: "infinite"}},
	"policy:places":                view.SetPolicy{Field: view.PolicyPlaces},
	"policy:clock":                 view.SetPolicy{Field: view.PolicyClock},
	"policy:levels":                view.SetPolicy{Field: view.PolicyLevels},
	"policy:boards":                view.SetPolicy{Field: view.PolicyBoards},
	"policy:on":                    view.SetPolicy{Field: view.PolicyMentionsOn},
	"policy:off":                   view.SetPolicy{Field: view.PolicyMentionsOff},
	"policy:told":                  view.SetPolicy{Field: view.PolicyTold},
	"policy:staff":                 view.SetPolicy{Field: view.PolicyStaff},
	"policy:noleavers":             view.SetPolicy{Field: view.PolicyLeaversOff},
	"rank:role":                    view.RankRole{Do: view.PickRankRole},
	"rank:board:7001:drop":         view.RankRole{Do: view.PickRankBoard, Role: "7001", Board: "drop"},
	"rank:merit:7001:4x4":          view.RankRole{Do: view.PickMerit, Role: "7001", Board: "4x4"},
	"rank:stop:7001:classic":       view.RankRole{Do: view.StopRankRole, Role: "7001", Board: "classic"},
	"pick":                         view.PickMatch{},
	"undo":                         view.Undo{},
	"undo:1a":                      view.Undo{Entry: "1a"},
	"rule:void:1a":                 view.Rule{Ruling: view.RuleVoid, Match: "1a"},
	"arena:1a:join":                view.Arena{Arena: "1a", Do: view.JoinArena},
	"arena:1a:off":                 view.Arena{Arena: "1a", Do: view.CallOffArena},
	"arena:1a:standings:2":         view.Arena{Arena: "1a", Do: view.ArenaStandings, Page: 2},
	"newarena:casual":              view.OpenArena{},
	"newarena:rated":               view.OpenArena{Rated: true},
	"newarena:rated:drop:20m0s:30s:MTg6MDA:w5wgeA": view.OpenArena{Rated: true, Board: "drop", Lasts: "20m0s", Clock: "30s", Starts: "18:00", Name: "Ü x"},
	"newarena:casual:4x4:1h0m0s:15s::":             view.OpenArena{Board: "4x4", Lasts: "1h0m0s", Clock: "15s"},

	"pickarena":            view.PickArena{},
	"entrant:1a":           view.RemoveEntrant{Arena: "1a"},
	"entrant:1a:7":         view.RemoveEntrant{Arena: "1a", Back: "7"},
	"person:pick":          view.Person{Do: view.PickPerson},
	"person:bar:1002":      view.Person{Do: view.BarPerson, Player: "1002"},
	"person:bar:1002:void": view.Person{Do: view.BarPerson, Player: "1002", How: policy.Cancel},
	"person:unbar:1002":    view.Person{Do: view.UnbarPerson, Player: "1002"},
	"person:off:1002":      view.Person{Do: view.UnrankPerson, Player: "1002"},
	"person:on:1002":       view.Person{Do: view.RankPerson, Player: "1002"},
	"rule:draw:1a":         view.Rule{Ruling: view.RuleDraw, Match: "1a"},
}

func TestCustomID(t *testing.T) {
	untried := commands.Verbs()
	for text, want := range customIDs {
		got, err := commands.ParseCustomID(text)
		if err != nil || got != want {
			t.Errorf("%s is read as %#v, %v; want %#v", text, got, err, want)
		}
		if written := commands.CustomIDOf(want); written != text {
			t.Errorf("%#v is written %s; want %s", want, written, text)
		}
		verb, _, _ := strings.Cut(text, ":")
		delete(untried, verb)
	}
	if len(untried) > 0 {
		t.Errorf("the table has no custom_id for %v", untried)
	}
}

func TestMalformedCustomIDs(t *testing.T) {
	for _, text := range []string{
		"", ":", "::::", "play", "play:", "play:1:0", "play:1:0:b2:", "play:1:0:b2:x", " play:1:0:b2", "play:1:0:b2 ", "play:1:0:b2\n",
		"PLAY:1:0:b2", "play:w:0:b2", "play::0:b2", "play:1::b2", "play:1:-1:b2", "play:1:01:b2", "play:1:+1:b2", "play:1:1e3:b2",
		"play:1:1000000000:b2", "play:1:99999999999999999999:b2", "play:1:0:", "play:1:0:2b", "play:1:0:f1", "play:1:0:a6", "play:1:0:b",
		"play:1:0:B2", "play:1:0:b22", "play:12345678901234:0:b2", "play:1٣:0:b2", "play:1:٣:b2", "play:\x00:0:b2", "play:1:0:b\u0662",
		"accept", "accept:", "accept:1:2", "accept:../../x", "accept:' OR 1=1", "resign:1", "resign:1:", "rematch:1:2:3", "norematch:1",
		"computer:", "computer:Easy", "computer:easy:", "computer:easy:-", "computer:easy:4x4:4x4", "computer:easy:4X4", "show", "show:", "show:1:2", "computer:abcdefghijklmnopq", "board:players", "board:players:-1", "board::1", "board:players:1:4X4", "board:players:1:4x4:", "board:players:1:4x4:x", "board:players:1:4x4:1:1", "ranking", "ranking:", "ranking:wins", "ranking:players:", "rankedon:players:4x4:-1", "board:rating:1:", "board:rating:1:4X4", "board:rating:4x4", "board:players:yours", "leaderboards",
		"review", "review:", "review:1:", "review:1:0", "review:1:01", "review:1:-1", "review:1:2:3", "review:1:b2", "review::1",
		"replay:", "replay:1a", "walk:1a", "walk:1a:1", "walk:1a:-1:back", "walk:1a:01:back", "walk:1a:1:up", "walk:1a:1:back:2", "walk::1:back",
		"practice", "practice:1a", "practice:1a:3", "practice:1a:3:lose", "practice:1a:3:win:", "practice:1a:3:win:z", "practice:1a:-1:win", "practice::3:win",
		"practice:1a:3:win:a:b", "practice:1a:3:win:" + thirtyThree + "a",
		"mentions:", "mentions", "settings", "settings:", "settings:1002", "privacy:erase:1002", "privacy", "pick:", "pick:1",
		"posted", "posted:2026-11-23", "posted:2026-13-01:players", "posted:2026-11-23:wins", "rank", "rank:", "rank:all", "rank:merit:7001", "rank:merit:x:classic", "rank:merit:7001:", "rank:merit:7001:4x4:4x4", "undo:", "undo:w", "undo:1a:1a", "rule:void", "rule::1a", "rule:1a", "rule:void:1a:2", "policy", "policy:a:b", "admin:deeds", "admin:nothing:1", "settings:all", "privacy:all", "rule:win:1a", "board:all:1", "mentions:maybe",
		"unknown:1", "delete:1", "\xff\xfe", "play:" + strings.Repeat("1", 100) + ":0:b2", strings.Repeat("x", 1000),
	} {
		if got, err := commands.ParseCustomID(text); !errors.Is(err, commands.ErrCustomID) {
			t.Errorf("%q was read as %+v, %v", text, got, err)
		}
	}
}

// anyField draws a field of a custom_id, valid or invalid.
func anyField(t *rapid.T) string {
	return rapid.OneOf(
		rapid.StringMatching(`[0-9a-v]{1,13}`), rapid.StringMatching(`0|[1-9][0-9]{0,8}`), rapid.StringMatching(`[a-e][1-5]`),
		rapid.StringMatching(`[a-z]{1,16}`), rapid.StringMatching(`[a-z0-9][a-z0-9-]{0,15}`),
		rapid.SampledFrom([]string{"players", "computer", "rating", "mine", "on", "off", "nobody", "erase", "deeds", "places", "void", ""}),
	).Draw(t, "field")
}

func TestACustomIDIsWrittenAsItWasRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := []string{rapid.SampledFrom(slices.Sorted(maps.Keys(commands.Verbs()))).Draw(t, "verb")}
		for range rapid.IntRange(0, 3).Draw(t, "fields") {
			parts = append(parts, anyField(t))
		}
		text := strings.Join(parts, ":")
		action, err := commands.ParseCustomID(text)
		if err != nil {
			return // this text does not come from the bot
		}
		if got := commands.CustomIDOf(action); got != text || len(got) > commands.MaxCustomID {
			t.Fatalf("%s was read as %#v, which is written %s", text, action, got)
		}
	})
}

func FuzzCustomID(f *testing.F) {
	for _, seed := range []string{
		"play:1a2b3c:0:b2", "accept:0", "resign:1:2", "computer:easy", "computer:easy:4x4", "show:1a", "board:players:2",
		"mentions:off", "review:1a", "review:1a:7", "walk:1a:7:back", "practice:1a:3:win", "practice:1a:3:draw:abc", "rule:void:1a", "pick", "undo", "undo:1a", "play:::", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		action, err := commands.ParseCustomID(text)
		if err != nil {
			if !errors.Is(err, commands.ErrCustomID) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if got := commands.CustomIDOf(action); got != text {
			t.Errorf("%q was read but is written %q: two custom_ids have the same meaning", text, got)
		}
	})
}

func TestIDOf(t *testing.T) {
	for snowflake, want := range map[string]match.ID{"0": "0", "31": "v", "32": "10", "1322547200000000000": "14ml1lfbb0000", "18446744073709551615": "fvvvvvvvvvvvv"} {
		got, err := commands.IDOf(snowflake)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v", snowflake, got, err)
		}
		if _, err := commands.ParseCustomID(commands.CustomIDOf(view.Accept{Challenge: got})); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "-1", "x", "18446744073709551616", "1.5", " 1"} {
		if got, err := commands.IDOf(bad); err == nil {
			t.Errorf("%q: %s", bad, got)
		}
	}
}
