import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { Listing, Resource } from '../../../../src/domain/files/resource.ts'
import { childOf, parentOf, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useConfig } from '../../api/page-config.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { EmptyState } from '../../kit/feedback/empty-state.tsx'
import { useMenus } from '../../kit/menu/menu.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { useNavigation, appHref, useNavigateTo } from '../../lib/navigation/navigation.tsx'
import styles from './folder-page.module.css'
import { FolderSide } from './folder-side.tsx'
import { type FolderChoices, type FolderPosition, type OpenShare, PAGE_SIZE, viewOf } from '../open-share.ts'
import { FolderTools, SelectionBar } from './folder-tools.tsx'
import { smallPictureOf } from '../../files/actions/picture.tsx'
import { FolderReadMe } from '../../files/list/folder-read-me.tsx'
import { ReadOnlyList } from '../../files/list/read-only-list.tsx'
import { sortEntries } from '../../files/list/sort/sort-entries.ts'
import { useVisitorActions } from '../use-visitor-actions.ts'

interface FolderPageProps {
  /** The heading of its summary. */
  readonly Name: 'h1' | 'h2'
  readonly share: OpenShare
  readonly folder: VirtualPath
  readonly listing: Listing
  readonly choices: FolderChoices
  readonly onChoose: (choices: FolderChoices) => void
  readonly scroll: RefObject<HTMLElement | null>
  /** Scroll positions of the visited folders. */
  readonly memory: Map<string, FolderPosition>
  /** The entry that the visitor has just come back from. */
  readonly start: string | null
}

/** A shared folder: its summary on one side, its entries on the other. */
export function FolderPage(props: FolderPageProps) {
  const { Name, share, folder, listing, choices, onChoose, scroll, memory, start } = props
  const t = useText()
  const menus = useMenus()
  const [limit, setLimit] = useFolderMemory(folder, scroll, memory)
  const entries = useMemo(() => sortEntries(listing.items, choices.sorting), [listing.items, choices.sorting])
  const shown = useMemo(() => entries.slice(0, limit), [entries, limit])
  const suited = useMemo(() => viewOf(entries), [entries])
  const mode = choices.view ?? suited
  const navigation = useFolderNavigation(share, folder)
  const pictureOf = usePictureOf(share, folder)
  const actions = useVisitorActions(share, folder, entries.length)
  const [selected, setSelected] = useState<readonly Resource[]>([])
  const rest = entries.length - shown.length
  const path = (entry: Resource) => childOf(folder, entry.name)
  return (
    <div className={styles['folder']}>
      <FolderSide Name={Name} share={share} folder={folder} listing={listing} selected={selected} actions={actions} />
      <section className={styles['sheet']} aria-label={t('public.list')}>
        <ReadOnlyList
          entries={shown}
          mode={mode}
          sorting={choices.sorting}
          onSort={(sorting) => onChoose({ ...choices, sorting })}
          scroll={scroll}
          start={start}
          onOpen={navigation.open}
          onOpenParent={navigation.openParent}
          onSelected={setSelected}
          onMenu={(items, anchor) =>
            menus.open({
              label: t('files.selectionActions'),
              anchor,
              entries: [
                ...(actions.mayDownload
                  ? [{ label: t('public.download'), icon: 'download' as const, run: () => actions.download(items) }]
                  : []),
                ...items.slice(0, items.length === 1 ? 1 : 0).map((item) => ({
                  label: t('public.copyLink'),
                  icon: 'link' as const,
                  run: () => actions.copyLink(path(item)),
                })),
              ],
            })
          }
          hrefOf={navigation.hrefOf}
          pictureOf={pictureOf}
          bars={(selection) => ({
            above: (
              <FolderTools
                share={share}
                folder={folder}
                selection={selection}
                choices={{ ...choices, view: mode }}
                onChoose={onChoose}
                actions={actions}
                empty={entries.length === 0}
              />
            ),
            below: <SelectionBar folder={folder} selection={selection} actions={actions} />,
          })}
        />
        {entries.length === 0 && <EmptyState title={t('files.emptyTitle')} />}
        {rest > 0 && (
          <button type="button" className={styles['more']} onClick={() => setLimit(limit + PAGE_SIZE)}>
            {t('public.more', { count: rest })}
          </button>
        )}
        {share.downloadsLeft === null && (
          <FolderReadMe
            folder={folder}
            entries={entries}
            raw={share.urls.raw}
            appPathOf={share.appPathOf}
            read={async (path, signal) => {
              const answer = await fetch(share.urls.raw(path), { signal })
              return answer.ok ? await answer.text() : undefined
            }}
          />
        )}
      </section>
    </div>
  )
}

/** Restores the number of entries and the scroll position when the visitor comes back to a folder. */
function useFolderMemory(
  folder: string,
  scroll: RefObject<HTMLElement | null>,
  memory: Map<string, FolderPosition>,
): readonly [number, (limit: number) => void] {
  const [position] = useState(() => memory.get(folder))
  const [limit, setLimit] = useState(position?.limit ?? PAGE_SIZE)
  useEffect(() => {
    const element = scroll.current
    if (element === null) return
    // Wait until the list has its height.
    const frame = requestAnimationFrame(() => element.scrollTo({ top: position?.offset ?? 0 }))
    return () => cancelAnimationFrame(frame)
  }, [position, scroll])
  useEffect(() => {
    const element = scroll.current
    const remember = (): void => void memory.set(folder, { limit, offset: element?.scrollTop ?? 0 })
    element?.addEventListener('scroll', remember, { passive: true })
    return () => element?.removeEventListener('scroll', remember)
  }, [memory, folder, limit, scroll])
  return [limit, setLimit]
}

function useFolderNavigation(share: OpenShare, folder: VirtualPath) {
  const t = useText()
  const { base } = useNavigation()
  const navigateTo = useNavigateTo()
  const toasts = useToasts()
  const appPathOf = (entry: Resource): string =>
    entry.isDir
      ? share.appPathOf(`${childOf(folder, entry.name)}/`)
      : share.appPathOf(childOf(folder, entry.name)) + (share.downloadsLeft === null ? '?view=true' : '')
  return {
    hrefOf: (entry: Resource) => appHref(base, appPathOf(entry)),
    open: (entry: Resource): void => {
      if (entry.type === 'invalid_link') toasts.error(t('files.linkIsBroken', { name: entry.name }))
      else navigateTo(appPathOf(entry))
    },
    openParent: (): void => {
      const parent = parentOf(folder)
      if (folder !== ROOT) navigateTo(share.appPathOf(parent === ROOT ? ROOT : `${parent}/`))
    },
  }
}

/** Addresses of the thumbnails in the list. */
function usePictureOf(share: OpenShare, folder: VirtualPath): (entry: Resource) => string | null {
  const config = useConfig()
  return (entry) => {
    const path = childOf(folder, entry.name)
    const source = smallPictureOf(entry, config)
    if (source === undefined) return null
    const isWhole = source === 'raw' && share.downloadsLeft === null
    return isWhole ? share.urls.raw(path) : share.urls.thumbnail(path, entry.modified)
  }
}
