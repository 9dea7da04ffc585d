import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { getResource } from '../../../../src/api/files/files.ts'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { useSavedFolders } from '../../api/own-account.ts'
import { useRecentVisits } from '../../files/list/listing/recent-visits.ts'
import { useText } from '../../i18n/use-text.tsx'
import { AppLink, buttonClass } from '../../kit/button/button.tsx'
import { Icon } from '../../kit/icon/icon.tsx'
import { folderName } from '../../common/where.ts'
import { filesHref, parentFolder } from '../../lib/navigation/app-path.ts'
import { useFilesPath } from '../../lib/navigation/navigation.tsx'

/** Link to the nearest existing folder, for "not found" pages. What is not there is no recent place any more. */
export function GoToParent() {
  const t = useText()
  const client = useClient()
  const path = useFilesPath() ?? '/'
  const { data: parent = '/' } = useQuery({
    queryKey: ['nearest', path],
    queryFn: async ({ signal }) => {
      for (let folder = parentFolder(path); folder !== '/'; folder = parentFolder(folder)) {
        const found = await client.call(getResource, { params: { '*': folder }, signal }).catch(ignoreMissing)
        if (found?.isDir === true) return folder
      }
      return '/'
    },
    retry: false,
  })
  const { recent, save } = useSavedFolders()
  const { forget } = useRecentVisits()
  const forgetHere = useEffectEvent(() => {
    forget([path])
    const left = recent.filter((folder) => `${folder}/` !== path)
    // Ignored: the next visit of a folder saves the list again.
    if (left.length < recent.length) void save('recent', left).catch(() => undefined)
  })
  const isKnown = recent.length > 0
  useEffect(() => forgetHere(), [path, isKnown])
  if (parent === '/') return null
  return (
    <AppLink to={filesHref(parent)} className={buttonClass({ variant: 'ghost' })}>
      <Icon name="arrow-left" size={16} flip />
      {t('errors.goToFolder', { name: folderName(t, parent) })}
    </AppLink>
  )
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}
