import type { IconName } from '../../../kit/icon/icon.tsx'
import type { MenuEntry } from '../../../kit/menu/menu.tsx'

export interface GroupedAction {
  readonly id: string
  readonly label: string
  readonly icon?: IconName | undefined
  readonly keys?: string | undefined
  readonly danger?: boolean | undefined
  run(): void
}

const GROUPS = ['use', 'change', 'about', 'remove'] as const
/** Actions not listed here belong to the group `change`. */
const GROUP_OF: Readonly<Record<string, (typeof GROUPS)[number]>> = {
  open: 'use',
  openFolder: 'use',
  raw: 'use',
  link: 'use',
  edit: 'use',
  download: 'use',
  share: 'use',
  details: 'about',
  copyPath: 'about',
  favourite: 'about',
  delete: 'remove',
  deleteForever: 'remove',
}

/** File actions as menu entries, in groups with separators; deletions come last. */
export function groupedEntries(actions: readonly GroupedAction[]): MenuEntry[] {
  const groups = Map.groupBy(actions, ({ id }) => GROUP_OF[id] ?? 'change')
  const lists = GROUPS.flatMap((group) => {
    const own = groups.get(group) ?? []
    return own.length === 0
      ? []
      : [own.map(({ label, icon, keys, danger, run }): MenuEntry => ({ label, icon, keys, danger, run }))]
  })
  return lists.flatMap((entries, index) => (index === 0 ? entries : [{ kind: 'separator' }, ...entries]))
}
