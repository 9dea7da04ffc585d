interface GroupChoice {
  readonly id: string
  readonly name: string
}

export function useGroupChoices(): readonly GroupChoice[] {
  return []
}
