import { useEffect, useId, useState, type KeyboardEvent } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { Keys } from '../../kit/keyboard/shortcuts.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { Spotlight } from '../../kit/dialog/spotlight.tsx'
import type { TypedAhead } from '../../kit/dialog/typing-ahead.tsx'
import { nextListIndex } from '../../lib/next-list-index.ts'
import { platformKeys } from '../../lib/shortcut-keys.ts'
import { findItems, readPaletteQuery, type FoundItem, type FoundSection, type PaletteItem } from './palette-item.ts'
import { type Choose, PaletteList } from './palette-list.tsx'
import { pathItem } from './path-item.ts'
import { type FoundFiles, matchOf, useFoundFiles } from './use-found-files.ts'
import { type PaletteContext, usePaletteItems } from './use-palette-items.ts'
import styles from './palette.module.css'

export type PalettePromptProps = PaletteContext & PromptProps<PaletteItem> & { readonly ahead: TypedAhead }

const PAGE = 6

/** Finds actions, and files and folders, by a few letters of their names. */
export function PalettePrompt({ close, ahead, ...context }: PalettePromptProps) {
  const listId = useId()
  const t = useText()
  const [typed, setTyped] = useState(ahead.text)
  const [active, setActive] = useState<string>()
  const { text, kind } = readPaletteQuery(typed)
  const known = findItems(usePaletteItems(context), typed)
  const found = useFoundFiles(kind === 'action' ? '' : text, kind === 'folder')
  const sections = [...known, ...useFileSection(found, known, typed, context)]
  const all = sections.flatMap(({ items }) => items)
  const index = Math.max(
    0,
    all.findIndex(({ item }) => item.id === active),
  )
  const chosen = all[index]?.item
  // What is highlighted stays so, wherever results of the server arrive.
  if (chosen?.id !== active) setActive(chosen?.id)
  const note = useNote(found, text, all.length === 0)
  const choose: Choose = (item, folder) => {
    if (!folder) close(item)
    else if (item.openFolder) close({ ...item, run: item.openFolder })
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const target = nextListIndex(event.key, { index, count: all.length, page: PAGE })
    if (target !== undefined) setActive(all[target]?.item.id)
    else if (event.key !== 'Enter') return
    else if (chosen) choose(chosen, event.altKey)
    event.preventDefault()
  }
  return (
    <Spotlight
      title={t('palette.title')}
      icon="command"
      listId={listId}
      activeId={chosen && `${listId}-${index}`}
      field={{
        'aria-label': t('palette.field'),
        placeholder: t('palette.field'),
        value: typed,
        maxLength: 200,
        onChange: (event) => {
          setTyped(event.target.value)
          setActive(undefined)
        },
        onKeyDown: handleKeyDown,
      }}
      end={<IconButton icon="x" label={t('kit.close')} onClick={() => close()} />}
      footer={<Hints hasFolder={chosen?.openFolder !== undefined} />}
      ahead={ahead}
      onClose={() => close()}
    >
      {all.length > 0 && (
        <PaletteList
          id={listId}
          sections={sections}
          active={index}
          onPoint={(pointed) => setActive(all[pointed]?.item.id)}
          onChoose={choose}
        />
      )}
      {note !== '' && <p className={styles['note']}>{note}</p>}
    </Spotlight>
  )
}

/** What the server found, below what is known at once, and a way to the search. */
function useFileSection(
  { hits, any }: FoundFiles,
  known: readonly FoundSection[],
  typed: string,
  { goTo, search }: PaletteContext,
): FoundSection[] {
  const t = useText()
  const { text, kind } = readPaletteQuery(typed)
  const heading = t(kind === 'folder' ? 'search.everywhere' : 'files.files')
  const shown = new Set(known.flatMap(({ items }) => items.map(({ item }) => item.id)))
  const items = hits
    .map(({ path, isDir }) => pathItem(t, isDir ? `${path}/` : path, goTo))
    .filter(({ id }) => !shown.has(id))
    .map((item): FoundItem => ({ item: { ...item, section: heading }, match: matchOf(item.label, text) }))
  if (!any) return []
  const rest: PaletteItem = {
    id: 'all results',
    kind: 'file',
    section: heading,
    icon: 'search',
    label: t('palette.allResults', { text }),
    run: () => search(text),
  }
  return [{ heading, items: [...items, { item: rest, match: { score: 0, ranges: [] } }] }]
}

/** How the search of files goes, as far as the list does not show it. Announces how it ended. */
function useNote({ status, hits }: FoundFiles, text: string, isEmpty: boolean): string {
  const t = useText()
  const announce = useAnnounce()
  const count = hits.length
  const failure = status === 'failed' ? t('palette.filesFailed') : ''
  const ended =
    status === undefined || status === 'running'
      ? ''
      : failure || t(status === 'stopped' ? 'search.cut' : 'search.count', { count })
  useEffect(() => {
    if (ended !== '') announce(ended)
  }, [announce, text, ended])
  if (failure !== '' || !isEmpty) return failure
  return status === 'running' ? t('search.running', { count }) : t('palette.none')
}

interface HintsProps {
  /** The active option is in a folder. */
  readonly hasFolder: boolean
}

function Hints({ hasFolder }: HintsProps) {
  const t = useText()
  return (
    <>
      <Hint keys="↑+↓" text={t('palette.move')} />
      <Hint keys="Enter" text={t('palette.run')} />
      <span className="grow" />
      {hasFolder ? (
        <Hint keys={platformKeys('Alt+Enter')} text={t('search.openFolder')} />
      ) : (
        <>
          <Hint keys=">" text={t('palette.actionsOnly')} />
          <Hint keys="/" text={t('palette.foldersOnly')} />
        </>
      )}
    </>
  )
}

function Hint({ keys, text }: { readonly keys: string; readonly text: string }) {
  return (
    <span className="only-wide">
      <Keys keys={keys} />
      {text}
    </span>
  )
}
