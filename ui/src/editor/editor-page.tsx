import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { getRaw } from '../../../src/api/files/downloads.ts'
import { MAX_TEXT_BYTES } from '../../../src/domain/files/resource-type.ts'
import type { Resource } from '../../../src/domain/files/resource.ts'
import type { VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { useClient } from '../api/client.ts'
import { useConfig } from '../api/page-config.tsx'
import { usePermissions } from '../api/permissions.ts'
import { useUser } from '../api/session.ts'
import { useFormat } from '../i18n/use-format.ts'
import { useTextPart, type MessageId, useText } from '../i18n/use-text.tsx'
import { Button, buttonClass } from '../kit/button/button.tsx'
import { EmptyState } from '../kit/feedback/empty-state.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { useCloseFile } from '../lib/navigation/navigation.tsx'
import { createDrafts } from './saving/drafts.ts'
import { EditorView } from './editor-view.tsx'
import { createFileIo } from './saving/file-io.ts'

interface EditorPageProps {
  readonly file: Resource
  readonly path: VirtualPath
}

/** Loads a text file into the editor, or says why it cannot be edited. @throws ApiError for the error screen of the app */
export function EditorPage({ file, path }: EditorPageProps) {
  useTextPart('actions')
  const client = useClient()
  const [io] = useState(() => createFileIo(client))
  const user = useUser()
  const { read: mayRead, modify: mayModify } = usePermissions()
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
    // The text is never refetched while it is open; the next visit loads it again.
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
  const readOnly = file.type === 'textImmutable' || !mayModify
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

const TEXTS: Readonly<Record<EditorRefusalProps['reason'], MessageId>> = {
  binary: 'editor.binaryText',
  'too-large': 'editor.tooLargeText',
  forbidden: 'editor.forbiddenText',
}

interface EditorRefusalProps {
  readonly file: Resource
  readonly path: VirtualPath
  readonly reason: 'binary' | 'too-large' | 'forbidden'
}

/** Why a file cannot be edited, with a download instead. */
function EditorRefusal({ file, path, reason }: EditorRefusalProps) {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const close = useCloseFile(path)
  const mayDownload = usePermissions().download
  const sizes = { size: format.bytes(file.size), limit: format.bytes(MAX_TEXT_BYTES) }
  return (
    <EmptyState
      role="status"
      art={<Icon name={reason === 'forbidden' ? 'lock' : 'ban'} size={56} />}
      title={t('editor.cannotOpen', { name: file.name })}
      actions={
        <>
          {mayDownload && (
            <a
              className={buttonClass({ variant: 'primary' })}
              href={client.url(getRaw, { params: { '*': path } })}
              download={file.name}
            >
              <Icon name="download" size={16} />
              {t('files.download')}
            </a>
          )}
          <Button onClick={close}>{t('editor.backToFolder')}</Button>
        </>
      }
    >
      {t(TEXTS[reason], sizes)}
    </EmptyState>
  )
}
