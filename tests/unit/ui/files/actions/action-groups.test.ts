import { expect, it, vi } from 'vitest'
import { groupedEntries } from '../../../../../ui/src/files/actions/menus/action-groups.ts'

const shown = (...ids: string[]) =>
  groupedEntries(ids.map((id) => ({ id, label: id, run: vi.fn() }))).map((entry) =>
    entry.kind === 'separator' ? '–' : 'label' in entry && entry.label,
  )

it('puts what deletes at the end, with a line between the groups', () => {
  expect(shown('share', 'rename', 'download', 'delete', 'copyTo', 'details', 'deleteForever', 'raw')).toEqual([
    ...['share', 'download', 'raw', '–', 'rename', 'copyTo', '–', 'details', '–', 'delete', 'deleteForever'],
  ])
})

it('draws no line where there is one group', () => {
  expect(shown('download', 'link', 'raw')).toEqual(['download', 'link', 'raw'])
  expect(shown()).toEqual([])
})
