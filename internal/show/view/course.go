package view

import (
	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/puzzles/course"
)

// OfCourse lists the lessons of the course, with a tick behind those that are solved. It leads to the first that is not.
func OfCourse(solved map[string]bool) Screen {
	lessons := course.Lessons()
	s := Screen{Notes: []Text{T("course.private", nil)}}
	menu := Select{Do: PickLesson{}, Hint: T("course.pick", nil), Min: 1, Max: 1}
	next, done := lessons[0].Name, 0
	for i := len(lessons) - 1; i >= 0; i-- {
		if !solved[lessons[i].Name] {
			next = lessons[i].Name
		}
	}
	for i, l := range lessons {
		args := Args{"N": i + 1, "Name": lessonName(l)}
		if solved[l.Name] {
			done++
			s.Lines = append(s.Lines, T("course.lesson.solved", args))
		} else {
			s.Lines = append(s.Lines, T("course.lesson", args))
		}
		menu.Options = append(menu.Options, Option{Value: l.Name, Label: lessonName(l)})
	}
	s.Lines = append([]Text{T("course.title", Args{"Solved": done, "Of": len(lessons)})}, s.Lines...)
	begin := Button{Do: Learn{Lesson: next}, Label: T("action.course.next", nil), Weight: Main}
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

// OfTask is the board of a lesson, on which whoever learns presses a square.
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

// OfWrongAnswer is the same board after a square that was not the answer, with what is wrong with it as far as the remark knows.
func OfWrongAnswer(l course.Lesson, r ai.Remark) Screen {
	s := OfTask(l)
	s.Tone = Warning
	args := Args{"Square": l.Position().Rules().Name(r.Square)}
	if why, ok := Harm(l.Position(), r); ok {
		args["Why"] = why
		s.Lines = append(s.Lines, T("course.wrong.why", args))
	} else {
		s.Lines = append(s.Lines, T("course.wrong", args))
	}
	return s
}

// OfRightAnswer is the board after the answer, with what there is to learn from it and the way to the next lesson.
func OfRightAnswer(l course.Lesson, after game.Record, why ai.Reason) Screen {
	s := OfTask(l)
	p := l.Position()
	s.Tone, s.Cells = Won, cells(after, true)
	args := Args{"Square": p.Rules().Name(after.Square(after.Len() - 1))}
	if words, ok := Why(why, p.Rules()); ok {
		args["Why"] = words
		s.Lines[1] = T("course.right.why", args)
	} else {
		s.Lines[1] = T("course.right", args)
	}
	s.Lines = append(s.Lines, T("course.tip."+l.Name, nil))
	if _, number := course.Find(l.Name); number < len(course.Lessons()) {
		next := Button{Do: Learn{Lesson: course.Lessons()[number].Name}, Label: T("action.course.next", nil), Weight: Main}
		s.Buttons = append([]Button{next}, s.Buttons...)
	}
	return s
}

func lessonName(l course.Lesson) Text { return T("course.name."+l.Name, nil) }
