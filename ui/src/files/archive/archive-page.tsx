import { useMemo, useRef, useState } from 'react'
import type { ArchiveListing } from '../../../../src/domain/files/archives/archives.ts'
import { mayDo } from '../../../../src/domain/access/permissions.ts'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { childOf, parentOf, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useMayTransfer, usePermissions } from '../../api/permissions.ts'
import { useText } from '../../i18n/use-text.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { useMenus } from '../../kit/menu/menu.tsx'
import { appHref, useNavigateTo, useNavigation } from '../../lib/navigation/navigation.tsx'
import { useFileActions } from '../actions/file-actions-context.tsx'
import { smallPictureOf } from '../actions/picture.tsx'
import { LeftOut } from '../jobs/entry-list.tsx'
import { ReadOnlyList } from '../list/read-only-list.tsx'
import { sortEntries } from '../list/sort/sort-entries.ts'
import { type ArchiveAction, ArchiveBars, type ArchiveActions } from './archive-bars.tsx'
import styles from './archive-page.module.css'
import { archivedUrl, archiveHref, type ShownArchive } from '../queries/archive-query.ts'
import { NameEncodingSelect } from '../actions/archives/name-encoding-select.tsx'

/** Number of entries that are rendered at first, and that each click adds. */
const PAGE_SIZE = 200

interface ArchivePageProps {
  readonly archive: ShownArchive
  readonly folder: VirtualPath
  readonly listing: ArchiveListing
}

/** A folder of an archive: like a folder, but nothing in it can be changed. */
export function ArchivePage({ archive, folder, listing }: ArchivePageProps) {
  const t = useText()
  const client = useClient()
  const config = useConfig()
  const menus = useMenus()
  const { base } = useNavigation()
  const navigateTo = useNavigateTo()
  const scroll = useRef<HTMLElement>(null)
  const [sorting, setSorting] = useState(listing.sorting)
  const [limit, setLimit] = useState(PAGE_SIZE)
  const entries = useMemo(() => sortEntries(listing.items, sorting), [listing.items, sorting])
  const shown = useMemo(() => entries.slice(0, limit), [entries, limit])
  const actions = useArchiveActions(archive, folder, listing.encoding)
  const appPathOf = ({ name, isDir }: Resource): string =>
    archiveHref(archive, `${childOf(folder, name)}${isDir ? '/' : ''}`)
  const openParent = (): void => {
    const parent = parentOf(folder)
    if (folder !== ROOT) navigateTo(archiveHref(archive, parent === ROOT ? ROOT : `${parent}/`))
  }
  const pictureOf = (entry: Resource): string | null =>
    smallPictureOf(entry, config) === 'raw' ? archivedUrl(client, archive, childOf(folder, entry.name), true) : null
  const { leftOut, encoding } = listing
  // At the top, since the folder may have another name now.
  const readAs = (chosen: Encoding | undefined): void =>
    navigateTo(archiveHref({ ...archive, encoding: chosen }, ROOT), { replace: true })
  const rest = entries.length - shown.length
  return (
    <section ref={scroll} className={styles['page']} aria-label={t('archive.contents', { name: archive.file.name })}>
      <ReadOnlyList
        entries={shown}
        mode="list"
        sorting={sorting}
        onSort={setSorting}
        scroll={scroll}
        start={null}
        onOpen={(entry) => navigateTo(appPathOf(entry))}
        onOpenParent={openParent}
        onSelected={() => undefined}
        onMenu={(items, anchor) =>
          menus.open({ label: t('files.selectionActions'), anchor, entries: actions(items.map(({ name }) => name)) })
        }
        hrefOf={(entry) => appHref(base, appPathOf(entry))}
        pictureOf={pictureOf}
        bars={(selection) => ({
          above: (
            <>
              <ArchiveBars archive={archive} folder={folder} selection={selection} actions={actions} />
              {encoding !== undefined && (
                <div className={styles['encoding']}>
                  <NameEncodingSelect value={archive.encoding} detected={encoding} onChange={readAs} />
                </div>
              )}
            </>
          ),
        })}
      />
      {entries.length === 0 && <EmptyState title={t('files.emptyTitle')} />}
      {rest > 0 && (
        <button type="button" className={styles['more']} onClick={() => setLimit(limit + PAGE_SIZE)}>
          {t('archive.more', { count: rest })}
        </button>
      )}
      {folder === ROOT && leftOut.length > 0 && (
        <div className={styles['left-out']}>
          <LeftOut entries={leftOut} />
        </div>
      )}
    </section>
  )
}

/** The actions on entries of a folder in an archive; without names, those on the whole archive. */
function useArchiveActions(archive: ShownArchive, folder: VirtualPath, detected: Encoding | undefined): ArchiveActions {
  const t = useText()
  const files = useFileActions()
  const permissions = usePermissions()
  const mayExtract = mayDo(permissions, 'archives.extract')
  const mayTransfer = useMayTransfer()
  const mayExtractTo = mayDo(permissions, 'archives.read') && mayTransfer('copy', archive.path)
  return (names) => {
    const items = names.length === 0 ? undefined : names.map((name) => childOf(folder, name))
    const extract = { archive: archive.path, items, encoding: archive.encoding, detected }
    const actions: (ArchiveAction | false)[] = [
      mayExtract && {
        label: t('actions.extractHere'),
        icon: 'archive',
        run: () => void files.extractInto(extract, parentOf(archive.path)),
      },
      mayExtractTo && { label: t('actions.extractTo'), icon: 'folder-move', run: () => void files.extractTo(extract) },
    ]
    return actions.filter((action) => action !== false)
  }
}
