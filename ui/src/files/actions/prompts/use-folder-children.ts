import { useCallback, useEffect, useRef, useState } from 'react'
import { getResource } from '../../../../../src/api/files.ts'
import { childOf, type VirtualPath } from '../../../../../src/domain/virtual-path.ts'
import type { Client } from '../../../api/client.ts'
import { useClient } from '../../../api/client-context.tsx'
import type { KnownFolders } from './folder-tree.ts'

type Answer = readonly VirtualPath[] | Error

export interface FolderChildren {
  readonly known: KnownFolders
  readonly loading: ReadonlySet<VirtualPath>
  readonly failed: ReadonlyMap<VirtualPath, Error>
  /** Looks into a folder again. */
  refresh(path: VirtualPath): Promise<void>
}

/** The folders beneath each of these, fetched when they are first opened. */
export function useFolderChildren(opened: ReadonlySet<VirtualPath>): FolderChildren {
  const client = useClient()
  const [answers, setAnswers] = useState<ReadonlyMap<VirtualPath, Answer>>(new Map())
  const asked = useRef(new Set<VirtualPath>())
  const refresh = useCallback(
    async (path: VirtualPath): Promise<void> => {
      asked.current.add(path)
      const answer = await foldersIn(client, path).catch((error: unknown) => error as Error)
      // A folder that could not be read is asked for again when it is opened the next time.
      if (answer instanceof Error) asked.current.delete(path)
      setAnswers((known) => new Map([...known, [path, answer]]))
    },
    [client],
  )
  useEffect(() => {
    for (const path of opened) if (!asked.current.has(path)) void refresh(path)
  }, [opened, refresh])
  const entries = [...answers]
  return {
    known: new Map(entries.flatMap(([path, answer]) => (answer instanceof Error ? [] : [[path, answer]]))),
    failed: new Map(entries.flatMap(([path, answer]) => (answer instanceof Error ? [[path, answer]] : []))),
    loading: new Set([...opened].filter((path) => !answers.has(path))),
    refresh,
  }
}

async function foldersIn(client: Client, path: VirtualPath): Promise<VirtualPath[]> {
  const found = await client.call(getResource, { params: { '*': path } })
  return 'items' in found ? found.items.filter(({ isDir }) => isDir).map(({ name }) => childOf(path, name)) : []
}
