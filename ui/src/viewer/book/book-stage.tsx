import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client-context.tsx'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { fetchFile } from '../fetch-file.ts'
import { createPlaces } from '../model/places.ts'
import { NoPreview } from '../no-preview.tsx'
import { useFileUrls } from '../use-file-urls.ts'
import type { ViewedFile } from '../viewed-file.ts'
import { Waiting } from '../waiting.tsx'
import { readMark, writeMark } from './book-path.ts'
import { placeOfLink, type Chapter } from './chapter.ts'
import { openBook, type Book, type Contents } from './open-book.ts'
import { PageFrame, type Pages } from './page-frame.tsx'
import { useChapter } from './use-chapter.ts'
import { useFontSize } from './use-font-size.ts'
import styles from './book-stage.module.css'

const LARGEST = 200 * 1024 * 1024

/** A book (EPUB), in pages. */
export function BookStage(viewed: ViewedFile) {
  const { file, path, onDamaged } = viewed
  const client = useClient()
  const urls = useFileUrls()
  const { data, error } = useQuery({
    queryKey: ['book', urls.raw(path), file.modified, file.size],
    enabled: file.size <= LARGEST,
    staleTime: 'static',
    gcTime: 0,
    retry: false,
    structuralSharing: false,
    // A book that does not arrive is not a damaged one.
    throwOnError: (failure) => failure instanceof ApiError,
    queryFn: async ({ signal }) => await openBook(await (await fetchFile(client, urls.raw(path), signal)).blob()),
  })
  const damaged = error !== null
  useEffect(() => {
    if (damaged) onDamaged()
  }, [damaged, onDamaged])
  if (file.size > LARGEST) return <NoPreview {...viewed} />
  return data === undefined ? <Waiting /> : <Reader book={data} {...viewed} />
}

interface Place {
  readonly chapter: number
  /** A share of the chapter, or the id of an element. */
  readonly start: number | string
}

function Reader({ book, path, file, onStep }: ViewedFile & { readonly book: Book }) {
  const t = useText()
  const [places] = useState(() => createPlaces(localStorage))
  const [place, setPlace] = useState<Place>(() => {
    const { chapter, share } = readMark(places.get(path), book.chapters.length)
    return { chapter, start: share }
  })
  const [pages, setPages] = useState<Pages>({ page: 0, count: 1 })
  const [turn, setTurn] = useState<{ to: number } | null>(null)
  const font = useFontSize()
  const format = useFormat()
  const wanted = book.chapters[place.chapter] ?? ''
  const chapter = useChapter(book.zip, wanted)
  // Until another chapter is there, the one before stays where it is.
  const [shown, setShown] = useState<{ readonly chapter: Chapter; readonly place: Place }>()
  if (chapter?.path === wanted && (shown?.chapter !== chapter || shown.place !== place)) setShown({ chapter, place })
  const open = (next: Place): void => {
    if (next.chapter < 0 || next.chapter >= book.chapters.length) return
    setTurn(null)
    setPlace(next)
  }
  const goOn = (): void => {
    if (pages.page + 1 < pages.count) setTurn({ to: pages.page + 1 })
    else open({ chapter: place.chapter + 1, start: 0 })
  }
  const goBack = (): void => {
    if (pages.page > 0) setTurn({ to: pages.page - 1 })
    else open({ chapter: place.chapter - 1, start: 1 })
  }
  const toPart = ({ path: to, part }: { path: string; part: string }): void => {
    const index = book.chapters.indexOf(to)
    if (index !== -1) open({ chapter: index, start: part === '' ? 0 : part })
  }
  const follow = (address: string): void => {
    const inside = placeOfLink(address)
    if (inside !== null) toPart(inside)
    else if (/^(https?:|mailto:)/i.test(address)) window.open(address, '_blank', 'noopener,noreferrer')
  }
  const tell = (now: Pages): void => {
    setPages(now)
    const share = now.count <= 1 ? 0 : now.page / (now.count - 1)
    if (shown) places.keep(path, writeMark({ chapter: shown.place.chapter, share }))
  }
  useShortcuts([
    { keys: '←', label: t('viewer.pageBack'), group: 'move', run: goBack },
    { keys: '→', label: t('viewer.pageOn'), group: 'move', run: goOn },
    { keys: 'Shift+←', label: t('viewer.previous'), group: 'move', run: () => onStep(-1) },
    { keys: 'Shift+→', label: t('viewer.next'), group: 'move', run: () => onStep(1) },
  ])
  const contents = () => book.contents.map((entry) => contentsEntry(entry, wanted, toPart))
  return (
    <div className={styles['book']}>
      {shown === undefined ? (
        <Waiting />
      ) : (
        <PageFrame
          chapter={shown.chapter}
          title={book.title || file.name}
          className={styles['page']}
          fontSize={font.size}
          start={shown.place.start}
          turn={turn}
          onPages={tell}
          onLink={follow}
        />
      )}
      <Toolbar label={t('viewer.book')} className={styles['bar']}>
        {book.contents.length > 0 && (
          <MenuButton label={t('viewer.contents')} icon="list" align="start" entries={contents} />
        )}
        <IconButton icon="left" label={t('viewer.pageBack')} onClick={goBack} />
        <span className={styles['place']} role="status">
          {t('viewer.bookPlace', { page: pages.page + 1, pages: pages.count, chapter: place.chapter + 1 })}
        </span>
        <IconButton icon="right" label={t('viewer.pageOn')} onClick={goOn} />
        <IconButton icon="minus" label={t('viewer.fontSmaller')} onClick={font.smaller} />
        <span className="num only-wide">{format.percent(font.size / 100)}</span>
        <IconButton icon="plus" label={t('viewer.fontLarger')} onClick={font.larger} />
      </Toolbar>
    </div>
  )
}

function contentsEntry(
  entry: Contents,
  shown: string | undefined,
  go: (place: { path: string; part: string }) => void,
) {
  return {
    kind: 'choice' as const,
    label: `${'\u2003'.repeat(entry.depth)}${entry.title}`,
    checked: entry.path === shown,
    run: () => go({ path: entry.path, part: entry.part && `user-content-${entry.part}` }),
  }
}
