import { useCallback } from 'react'
import { getRaw } from '../../../../src/api/files.ts'
import { getPreview } from '../../../../src/api/previews.ts'
import type { Resource } from '../../../../src/domain/resource.ts'
import { useClient } from '../../api/client-context.tsx'
import { useConfig } from '../../api/config.tsx'
import { useUser } from '../../api/session-context.tsx'
import { smallPictureOf, type Pictured } from './small-picture.ts'

/** Gives the address of the small picture of a file; null when there is none. */
export function useSmallPicture(): (entry: Pictured & Pick<Resource, 'modified'>, path: string) => string | null {
  const client = useClient()
  const config = useConfig()
  const mayDownload = useUser()?.perm.download ?? false
  return useCallback(
    (entry, path) => {
      const how = mayDownload ? smallPictureOf(entry, config) : undefined
      if (how === undefined) return null
      const shown = { inline: 'true' }
      if (how === 'raw') return client.url(getRaw, { params: { '*': path }, query: shown })
      const key = String(Date.parse(entry.modified))
      return client.url(getPreview, { params: { size: 'thumb', '*': path }, query: { ...shown, key } })
    },
    [client, config, mayDownload],
  )
}
