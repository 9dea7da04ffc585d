/** Joins class names and skips falsy ones: `classNames('row', selected && 'is-selected')`. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
