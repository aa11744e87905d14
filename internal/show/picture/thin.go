package picture

import "slices"

// thin keeps of many ratings what can be seen: of each column the first, the last, the highest and
// the lowest, and the ends of the band.
func thin(all []Rating, times span, columns int) []Rating {
	if len(all) <= fewRatings {
		return all
	}
	kept := make([]Rating, 0, min(len(all), 6*(columns+1)))
	for from := 0; from < len(all); {
		column := columnOf(all[from], times, columns)
		high, low, top, bottom := from, from, from, from
		to := from
		for ; to < len(all) && columnOf(all[to], times, columns) == column; to++ {
			r := all[to]
			if r.Value > all[high].Value {
				high = to
			}
			if r.Value < all[low].Value {
				low = to
			}
			if r.Value+2*r.Deviation > all[top].Value+2*all[top].Deviation {
				top = to
			}
			if r.Value-2*r.Deviation < all[bottom].Value-2*all[bottom].Deviation {
				bottom = to
			}
		}
		indices := []int{from, high, low, top, bottom, to - 1}
		slices.Sort(indices)
		for _, i := range slices.Compact(indices) {
			kept = append(kept, all[i])
		}
		from = to
	}
	return kept
}

func columnOf(r Rating, times span, columns int) int {
	return int(times.part(seconds(r.At)) * float64(columns))
}
