import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/announcer.tsx'
import { usePrompt } from '../../kit/prompt-stack.tsx'
import type { Grid } from './grid/use-grid.ts'
import { listingKey } from './listing-query.ts'
import { NewEntry } from './prompts/ask-new-entry.ts'
import type { Arrivals } from './use-arrivals.ts'

export type MakeEntry = (kind: 'folder' | 'file') => void

/** Asks for a name, makes the folder or file, and shows it once the listing has it. */
export function useMakeEntry(folder: VirtualPath, grid: Grid, show: Arrivals['show']): MakeEntry {
  const ask = usePrompt()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const t = useText()
  const latest = useRef({ grid, show })
  useEffect(() => {
    latest.current = { grid, show }
  })
  return (kind) => {
    const taken = (name: string): boolean => latest.current.grid.entryOf(name) !== undefined
    void ask(NewEntry, { folder, kind, taken }).then(async (name) => {
      if (name === undefined) return
      await queries.invalidateQueries({ queryKey: listingKey(folder) })
      latest.current.show([name])
      announce(t('files.created', { name }))
    })
  }
}
