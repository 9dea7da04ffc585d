import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Resource } from '../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../src/domain/virtual-path.ts'
import { useClient } from '../api/client-context.tsx'
import { useConfig } from '../api/config.tsx'
import { useUser } from '../api/session-context.tsx'
import { useTextPart } from '../i18n/use-text-part.ts'
import { createDrafts } from './drafts.ts'
import { EditorRefusal } from './editor-refusal.tsx'
import { EditorView } from './editor-view.tsx'
import { createFileIo } from './file-io.ts'

interface EditorPageProps {
  readonly file: Resource
  readonly path: VirtualPath
}

/** Fetches a text and opens it, or says why it cannot. Throws what the server answers, for the error screen of the app. */
export function EditorPage({ file, path }: EditorPageProps) {
  useTextPart('work')
  const client = useClient()
  const [io] = useState(() => createFileIo(client))
  const user = useUser()
  const mayRead = user?.perm.download ?? false
  const { BaseURL: baseUrl } = useConfig()
  const userId = user?.id ?? 0
  const drafts = useMemo(() => createDrafts({ baseUrl, userId }), [baseUrl, userId])
  const { data } = useQuery({
    queryKey: ['text', path],
    queryFn: async ({ signal }) => {
      const [loaded, draft] = await Promise.all([io.load(path, signal), drafts.read(path)])
      return { loaded, draft }
    },
    enabled: mayRead,
    // What is opened stays as it is until it is saved or loaded again on purpose; the next visit fetches it anew.
    staleTime: 'static',
    gcTime: 0,
    structuralSharing: false,
    retry: false,
    throwOnError: true,
  })
  if (!mayRead) return <EditorRefusal file={file} path={path} reason="forbidden" />
  if (data === undefined) return null
  const { loaded, draft } = data
  if (loaded.kind !== 'text') return <EditorRefusal file={file} path={path} reason={loaded.kind} />
  const readOnly = file.type === 'textImmutable' || !user?.perm.modify
  return (
    <EditorView
      name={file.name}
      path={path}
      io={io}
      loaded={loaded}
      draft={readOnly ? undefined : draft}
      drafts={drafts}
      readOnly={readOnly}
    />
  )
}
