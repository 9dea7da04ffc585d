import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useClient } from '../../api/client.ts'
import { readDocument } from '../../api/text-file.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { Toolbar } from '../../kit/button/toolbar.tsx'
import { fetchFile, useFileUrls } from '../file/file-source.ts'
import { NoPreview, Waiting } from '../placeholders.tsx'
import { createResumePositions } from '../file/resume-positions.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import { type BookLocation, formatBookmark, parseBookmark } from './book-location.ts'
import { type Chapter, locationOfLink, useChapter } from './chapter.ts'
import { type Book, type TocEntry, openBook } from './open-book.ts'
import { PageFrame, type Pages } from './page-frame.tsx'
import styles from './book-stage.module.css'

const MAX_BYTES = 200 * 1024 * 1024

/** An EPUB book, page by page. */
export function BookStage(viewed: ViewedFile) {
  const { file, path, onDamaged } = viewed
  const client = useClient()
  const urls = useFileUrls()
  const { data, error } = useQuery({
    queryKey: ['book', urls.raw(path), file.modified, file.size],
    enabled: file.size <= MAX_BYTES,
    staleTime: 'static',
    gcTime: 0,
    retry: false,
    structuralSharing: false,
    // A failed download does not mean that the book is damaged.
    throwOnError: (failure) => failure instanceof ApiError,
    queryFn: async ({ signal }) => {
      const archive = await (await fetchFile(client, urls.raw(path), signal)).blob()
      return await openBook(archive, async (bytes) => await readDocument(client, bytes))
    },
  })
  const damaged = error !== null
  useEffect(() => {
    if (damaged) onDamaged()
  }, [damaged, onDamaged])
  if (file.size > MAX_BYTES) return <NoPreview {...viewed} />
  return data === undefined ? <Waiting /> : <Reader book={data} {...viewed} />
}

interface Position {
  readonly chapter: number
  /** A fraction of the chapter from 0 to 1, or the id of an element. */
  readonly start: number | string
}

function Reader({ book, path, file, onStep }: ViewedFile & { readonly book: Book }) {
  const t = useText()
  const [positions] = useState(() => createResumePositions(localStorage))
  const [position, setPosition] = useState<Position>(() => {
    const { chapter, fraction } = parseBookmark(positions.get(path), book.chapters.length)
    return { chapter, start: fraction }
  })
  const [pages, setPages] = useState<Pages>({ page: 0, count: 1 })
  const [turn, setTurn] = useState<{ to: number } | null>(null)
  const font = useFontSize()
  const format = useFormat()
  const chapterPath = book.chapters[position.chapter] ?? ''
  const chapter = useChapter(book.zip, chapterPath)
  // The previous chapter stays in place until the next one is loaded.
  const [shown, setShown] = useState<{ readonly chapter: Chapter; readonly position: Position }>()
  if (chapter?.path === chapterPath && (shown?.chapter !== chapter || shown.position !== position))
    setShown({ chapter, position })
  const open = (next: Position): void => {
    if (next.chapter < 0 || next.chapter >= book.chapters.length) return
    setTurn(null)
    setPosition(next)
  }
  const nextPage = (): void => {
    if (pages.page + 1 < pages.count) setTurn({ to: pages.page + 1 })
    else open({ chapter: position.chapter + 1, start: 0 })
  }
  const previousPage = (): void => {
    if (pages.page > 0) setTurn({ to: pages.page - 1 })
    else open({ chapter: position.chapter - 1, start: 1 })
  }
  const goTo = (target: BookLocation): void => {
    const index = book.chapters.indexOf(target.path)
    if (index !== -1) open({ chapter: index, start: target.fragment === '' ? 0 : target.fragment })
  }
  const follow = (address: string): void => {
    const inside = locationOfLink(address)
    if (inside !== null) goTo(inside)
    else if (/^(https?:|mailto:)/i.test(address)) window.open(address, '_blank', 'noopener,noreferrer')
  }
  const handlePages = (now: Pages): void => {
    setPages(now)
    const fraction = now.count <= 1 ? 0 : now.page / (now.count - 1)
    if (shown) positions.set(path, formatBookmark({ chapter: shown.position.chapter, fraction }))
  }
  useShortcuts([
    { keys: '←', label: t('viewer.previousPage'), group: 'move', run: previousPage },
    { keys: '→', label: t('viewer.nextPage'), group: 'move', run: nextPage },
    { keys: 'Shift+←', label: t('viewer.previous'), group: 'move', run: () => onStep(-1) },
    { keys: 'Shift+→', label: t('viewer.next'), group: 'move', run: () => onStep(1) },
  ])
  const toc = () => book.toc.map((entry) => tocMenuEntry(entry, chapterPath, goTo))
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
          start={shown.position.start}
          turn={turn}
          onPages={handlePages}
          onLink={follow}
        />
      )}
      <Toolbar label={t('viewer.book')} className={styles['bar']}>
        {book.toc.length > 0 && <MenuButton label={t('viewer.contents')} icon="list" align="start" entries={toc} />}
        <IconButton icon="left" label={t('viewer.previousPage')} onClick={previousPage} />
        <span className={styles['place']} role="status">
          {t('viewer.bookPosition', { page: pages.page + 1, pages: pages.count, chapter: position.chapter + 1 })}
        </span>
        <IconButton icon="right" label={t('viewer.nextPage')} onClick={nextPage} />
        <IconButton icon="minus" label={t('viewer.fontSmaller')} onClick={font.smaller} />
        <span className="num only-wide">{format.percent(font.size / 100)}</span>
        <IconButton icon="plus" label={t('viewer.fontLarger')} onClick={font.larger} />
      </Toolbar>
    </div>
  )
}

function tocMenuEntry(entry: TocEntry, shown: string | undefined, go: (location: BookLocation) => void) {
  return {
    kind: 'choice' as const,
    label: `${'\u2003'.repeat(entry.depth)}${entry.title}`,
    checked: entry.path === shown,
    run: () => go({ path: entry.path, fragment: entry.fragment && `user-content-${entry.fragment}` }),
  }
}

const FONT_KEY = 'filemgr:book-font'
const MIN_FONT_SIZE = 100
const MAX_FONT_SIZE = 150
const FONT_STEP = 10
const DEFAULT_FONT_SIZE = 120

/** The font size of books in percent, kept in this browser. */
function useFontSize() {
  const [size, setSize] = useState(() => {
    const kept = Number(localStorage.getItem(FONT_KEY) ?? DEFAULT_FONT_SIZE)
    return kept >= MIN_FONT_SIZE && kept <= MAX_FONT_SIZE ? kept : DEFAULT_FONT_SIZE
  })
  const change = (by: number): void => {
    const next = Math.min(MAX_FONT_SIZE, Math.max(MIN_FONT_SIZE, size + by))
    setSize(next)
    localStorage.setItem(FONT_KEY, String(next))
  }
  return { size, smaller: () => change(-FONT_STEP), larger: () => change(FONT_STEP) }
}
