import { type MemberNames, safeMemberName } from '../../../../domain/files/archives/archive-format.ts'
import { numberedName } from '../../../../domain/files/virtual-path.ts'
import { type NameBytes, textOf } from '../sync-calls.ts'

/** Maps the names in a folder to names in the archive. Different names stay different; most do not change. */
export function memberNames(names: readonly NameBytes[], kind: MemberNames): Map<NameBytes, string> {
  const members = new Map(names.map((name) => [name, safeMemberName(textOf(name), kind)]))
  const changed = names.filter((name) => members.get(name) !== textOf(name) || members.get(name)?.includes('\ufffd'))
  if (changed.length === 0) return members
  const isChanged = new Set(changed)
  const taken = new TakenNames()
  for (const name of names) if (!isChanged.has(name)) taken.add(members.get(name) ?? '')
  for (const name of changed) members.set(name, taken.claim(members.get(name) ?? ''))
  return members
}

/** Makes names unique by numbering. Remembers the last number of each, because many names may become equal. */
export class TakenNames {
  readonly #taken = new Set<string>()
  readonly #numbers = new Map<string, number>()

  add(name: string): void {
    this.#taken.add(name)
  }

  /** Takes and returns the name, or the first free one with a number. */
  claim(preferred: string): string {
    let name = preferred
    let number = this.#numbers.get(preferred) ?? 0
    while (this.#taken.has(name)) name = numberedName(preferred, (number += 1))
    if (number > 0) this.#numbers.set(preferred, number)
    this.#taken.add(name)
    return name
  }
}
