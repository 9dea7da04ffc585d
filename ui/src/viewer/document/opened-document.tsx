import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { TooLargeInside } from '../book/zip.ts'
import { fetchFile, useFileUrls } from '../file/file-source.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import { NoPreview, Waiting } from '../placeholders.tsx'
import { MAX_DOCUMENT, NotShown } from './safe-archive.ts'

interface OpenedDocumentProps<Opened> {
  readonly viewed: ViewedFile
  /** @throws NotShown, TooLargeInside; any other Error if the document is damaged */
  open(bytes: Blob, signal: AbortSignal): Promise<Opened>
  draw(opened: Opened): ReactNode
}

/** An office document, or a sentence that says why it is not shown. */
export function OpenedDocument<Opened>({ viewed, open, draw }: OpenedDocumentProps<Opened>) {
  const { file, path, onDamaged } = viewed
  const client = useClient()
  const urls = useFileUrls()
  const isSmall = file.size <= MAX_DOCUMENT
  const { data, error } = useQuery({
    queryKey: ['document', urls.raw(path), file.modified, file.size],
    enabled: isSmall,
    staleTime: 'static',
    // Freed at once: it may be large.
    gcTime: 0,
    retry: false,
    structuralSharing: false,
    // A failed download does not mean that the document is damaged.
    throwOnError: (failure) => failure instanceof ApiError,
    queryFn: async ({ signal }) => {
      const bytes = await (await fetchFile(client, urls.raw(path), signal)).blob()
      try {
        return { opened: await open(bytes, signal) }
      } catch (failure) {
        if (failure instanceof TooLargeInside) return { reason: 'viewer.tooLarge' } as const
        if (failure instanceof NotShown) return { reason: failure.reason }
        throw failure
      }
    },
  })
  const damaged = error !== null
  useEffect(() => {
    if (damaged) onDamaged()
  }, [damaged, onDamaged])
  if (!isSmall) return <NoPreview {...viewed} reason="viewer.tooLarge" />
  if (data === undefined) return <Waiting />
  return 'opened' in data ? draw(data.opened) : <NoPreview {...viewed} reason={data.reason} />
}
