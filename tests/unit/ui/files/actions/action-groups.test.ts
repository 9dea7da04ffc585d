import { expect, it, vi } from 'vitest'
import { groupedEntries } from '../../../../../ui/src/files/actions/menus/action-groups.ts'

const shown = (...ids: string[]) =>
  groupedEntries(ids.map((id) => ({ id, label: id, run: vi.fn() }))).map((entry) =>
    entry.kind === 'separator' ? '–' : 'label' in entry && entry.label,
  )

it('deleting comes last, with a separator between groups', () => {
  expect(shown('share', 'rename', 'download', 'delete', 'copyTo', 'details', 'deleteForever', 'raw')).toEqual([
    ...['share', 'download', 'raw', '–', 'rename', 'copyTo', '–', 'details', '–', 'delete', 'deleteForever'],
  ])
})

it('one group has no separator', () => {
  expect(shown('download', 'link', 'raw')).toEqual(['download', 'link', 'raw'])
  expect(shown()).toEqual([])
})
