package view

import (
	"cmp"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/puzzles/course"
)

// OfCourse returns the list of all lessons, with a tick after each solved lesson, and a button to the first unsolved one.
func OfCourse(solved map[string]bool) Screen {
	lessons := course.Lessons()
	s := Screen{Notes: []Text{T("course.private", nil)}}
	menu := Select{Do: PickLesson{}, Hint: T("course.pick", nil), Min: 1, Max: 1}
	next, done := "", 0
	for i, l := range lessons {
		args := Args{"N": i + 1, "Name": lessonName(l)}
		if solved[l.Name] {
			done++
			s.Lines = append(s.Lines, T("course.lesson.solved", args))
		} else {
			next = cmp.Or(next, l.Name)
			s.Lines = append(s.Lines, T("course.lesson", args))
		}
		menu.Options = append(menu.Options, Option{Value: l.Name, Label: lessonName(l)})
	}
	s.Lines = append([]Text{T("course.title", Args{"Solved": done, "Of": len(lessons)})}, s.Lines...)
	begin := Button{Do: Learn{Lesson: cmp.Or(next, lessons[0].Name)}, Label: T("action.course.next", nil), Weight: Main}
	switch done {
	case 0:
		begin.Label = T("action.course.begin", nil)
	case len(lessons):
		s.Lines = append(s.Lines, T("course.done", nil))
		begin.Label = T("action.course.again", nil)
	}
	s.Selects, s.Buttons = []Select{menu}, []Button{begin}
	return s
}

// OfTask returns the board of a lesson, on which the player must find the right square.
func OfTask(l course.Lesson) Screen {
	_, number := course.Find(l.Name)
	p := l.Position()
	return Screen{
		Lines: []Text{
			T("course.task", Args{"N": number, "Of": len(course.Lessons()), "Name": lessonName(l)}),
			T("course.you", Args{"Mark": Mark(p.Turn()), "Task": T("course.task."+l.Name, nil)}),
		},
		Cells: cells(l.Record, false), Columns: p.Rules().Width(), Lesson: l.Name,
		Notes:   rulesNote(p.Rules()),
		Buttons: []Button{{Do: ListLessons{}, Label: T("action.course.all", nil)}},
	}
}

// OfWrongAnswer returns the board of a lesson after a wrong square was pressed. It says what the square would have led to, if the remark
// knows that.
func OfWrongAnswer(l course.Lesson, r ai.Remark) Screen {
	s := OfTask(l)
	s.Tone = Warning
	why, harmful := Harm(l.Position(), r)
	s.Lines = append(s.Lines, withReason(why, harmful, "course.wrong", Args{"Square": l.Position().Rules().Name(r.Square)}))
	return s
}

// OfRightAnswer returns the board of a lesson after the right square was pressed, with the tip of the lesson and a button to the next
// lesson.
func OfRightAnswer(l course.Lesson, after game.Record, why ai.Reason) Screen {
	s := OfTask(l)
	s.Tone, s.Cells = Won, cells(after, true)
	rules := l.Position().Rules()
	words, given := Why(why, rules)
	s.Lines[1] = withReason(words, given, "course.right", Args{"Square": rules.Name(after.Square(after.Len() - 1))})
	s.Lines = append(s.Lines, T("course.tip."+l.Name, nil))
	if _, number := course.Find(l.Name); number < len(course.Lessons()) {
		next := Button{Do: Learn{Lesson: course.Lessons()[number].Name}, Label: T("action.course.next", nil), Weight: Main}
		s.Buttons = append([]Button{next}, s.Buttons...)
	}
	return s
}

func lessonName(l course.Lesson) Text { return T("course.name."+l.Name, nil) }
