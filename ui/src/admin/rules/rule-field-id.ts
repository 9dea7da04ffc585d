/** The id of the field of a rule, which stands at this place of a list: focus it to show the rule. */
export function ruleFieldId(list: string, place: number): string {
  return `${list}-rule-${place}`
}
