import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { type MenuEntry, useMenus } from '../../kit/menu/menu.tsx'
import { Spotlight } from '../../kit/dialog/spotlight.tsx'
import type { TypedAhead } from '../../kit/dialog/typing-ahead.tsx'
import { useStore } from '../../lib/create-store.ts'
import { useFileActions } from '../actions/file-actions-context.tsx'
import type { AddedEntries } from '../actions/model.ts'
import { type HitSelection, createHitSelection, filterHits } from './hits.ts'
import { HitList, type Point } from './hit-list.tsx'
import { NoHits, RecentList } from './no-hits.tsx'
import { SearchControls, TypeChips } from './search-controls.tsx'
import { SearchFooter, statusText } from './search-footer.tsx'
import { type SearchRequest, queryOf } from './search-request.ts'
import type { SearchState } from './search-run.ts'
import { type CachedSearch, type SearchMemory, type Searches, useSearchMemory } from './searches.ts'
import { useFoundActions } from './use-found-actions.ts'
import { type SearchAddress, useTypedText } from './use-search-address.ts'
import styles from './search.module.css'
import { nextListIndex } from '../../lib/next-list-index.ts'

export interface SearchOverlayProps {
  readonly ahead: TypedAhead
  readonly request: SearchRequest
  readonly address: SearchAddress
  /** The open folder, with a slash at its end. */
  readonly folder: string
  readonly memory: SearchMemory
}

/** The search over the page. It searches while the user types. */
export function SearchOverlay({ ahead, request, address, folder, memory }: SearchOverlayProps) {
  const t = useText()
  const menus = useMenus()
  const { searches, recents } = useSearchMemory(memory)
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const atRoot = folder === '/'
  const typed = useTypedText(request, address.change, ahead.text)
  const [run, runAgain] = useRun(searches, folder, request)
  const state = useStore(run.state)
  const { time, size } = request
  const hits = useMemo(() => filterHits(state.hits, { time, size }, Date.now()), [state.hits, time, size])
  const [selection, select] = useSelection(run, hits.length)
  const actions = useFoundActions(run.folder, runAgain)
  const runAgainAfterMove = useRunAfterMove(runAgain)
  useEndAnnouncement(state, run !== searches.none)

  const hasQuery = queryOf(request) !== ''
  const active = hits[selection.active]
  const entriesOf = (chosen: HitSelection) => chosen.targets().flatMap((index) => hits[index] ?? [])
  const close = () => {
    run.stop()
    address.close()
  }
  const remembering =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args) => {
      recents.add(request)
      act(...args)
    }
  const open = remembering(actions.open)
  const anySelected = selection.selected.size > 0
  const clear = () => select(selection.moveTo(selection.active))
  const clearing: MenuEntry[] = [
    { kind: 'separator' },
    { label: t('files.clearSelection'), icon: 'x', keys: 'Esc', run: clear },
  ]
  const showMenu = (chosen: HitSelection, at: Point) => {
    const entries = [...actions.menuOf(entriesOf(chosen)), ...(chosen.selected.size > 0 ? clearing : [])]
    const anchor = { ...at, ...(field.current && { returnTo: field.current }) }
    if (entries.length > 0) menus.open({ label: t('search.actions'), anchor, entries })
  }
  const handleKeys = searchKeys({
    selection,
    count: hits.length,
    pending: typed.pending,
    select,
    submit: () => {
      typed.submit()
      recents.add({ ...request, text: typed.text })
    },
    open: () => active && open(active),
    openFolder: () => active && remembering(actions.openFolder)(active),
    showMenu: () => {
      const row = document.getElementById(`${listId}-${selection.active}`)
      if (row) showMenu(selection, pointAt(row))
    },
  })
  return (
    <Spotlight
      title={t('search.title')}
      icon="search"
      wide
      listId={listId}
      activeId={active && `${listId}-${selection.active}`}
      field={{
        ref: field,
        'aria-label': t('search.field'),
        placeholder: t('search.placeholder'),
        value: typed.text,
        maxLength: 1000,
        onChange: (event) => typed.type(event.target.value),
        onKeyDown: handleKeys,
      }}
      end={
        <SearchControls
          request={request}
          atRoot={atRoot}
          running={state.status === 'running'}
          onChange={address.change}
          onStop={run.stop}
          onClose={close}
        />
      }
      footer={
        <SearchFooter
          // The server's limit counts all hits, not the filtered ones.
          state={state.cut ? state : { ...state, hits }}
          hasQuery={hasQuery}
          selected={selection.selected.size}
          actions={
            anySelected
              ? actions.actionsOf(entriesOf(selection)).filter(({ id }) => id === 'download' || id === 'delete')
              : []
          }
          onMenu={(at) => showMenu(selection, at)}
          onRetry={runAgain}
        />
      }
      ahead={ahead}
      onClose={close}
      onEscape={anySelected ? clear : undefined}
    >
      <TypeChips request={request} atRoot={atRoot} onChange={address.change} />
      <div className={styles['line']} data-running={state.status === 'running' || undefined} />
      {hits.length > 0 ? (
        <HitList
          key={run.key}
          id={listId}
          run={run}
          hits={hits}
          selection={selection}
          onSelect={select}
          onOpen={open}
          onMenu={showMenu}
          onRelease={() => field.current?.focus()}
          onMoved={runAgainAfterMove}
        />
      ) : hasQuery ? (
        <NoHits state={state} request={request} atRoot={atRoot} onChange={address.change} />
      ) : (
        <RecentList recents={recents} onChoose={(chosen) => address.change(() => chosen)} />
      )}
    </Spotlight>
  )
}

/** The search for this request: the cached one or a new one. */
function useRun(searches: Searches, folder: string, request: SearchRequest): [CachedSearch, () => void] {
  const [run, setRun] = useState(searches.none)
  const query = queryOf(request)
  const { everywhere } = request
  useEffect(() => {
    setRun(query === '' ? searches.none : searches.run(folder, query, everywhere))
  }, [searches, folder, query, everywhere])
  return [run, () => setRun(searches.again(folder, query, everywhere))]
}

/** Announces how a search ended; the hits themselves are not announced one by one. */
function useEndAnnouncement(state: SearchState, isSearch: boolean): void {
  const t = useText()
  const announce = useAnnounce()
  const text = isSearch && state.status !== 'running' ? statusText(t, state) : ''
  useEffect(() => {
    if (text !== '') announce(text)
  }, [announce, text])
}

/** Searches again once a dragged entry has been moved. @returns a function to call after a drop */
function useRunAfterMove(runAgain: () => void): () => void {
  const added = useStore(useFileActions().addedEntries)
  const [before, wait] = useState<{ readonly added: AddedEntries | null }>()
  useEffect(() => {
    if (before === undefined || before.added === added) return
    wait(undefined)
    runAgain()
  }, [added, before, runAgain])
  return () => wait({ added })
}

/** Starts at the first hit, or where the user left this search. */
function useSelection(run: CachedSearch, count: number): [HitSelection, (selection: HitSelection) => void] {
  const [kept, keep] = useState({ run, selection: createHitSelection(run.lastView.active) })
  const selection = kept.run === run ? kept.selection : createHitSelection(run.lastView.active)
  if (kept.run !== run) keep({ run, selection })
  return [count === 0 ? createHitSelection(-1) : selection, (next) => keep({ run, selection: next })]
}

/** Below the name of a hit, for a menu opened by keys. */
function pointAt(row: HTMLElement): Point {
  const { left, bottom } = row.getBoundingClientRect()
  return { x: left + 48, y: bottom - 8 }
}

interface SearchKeysOptions {
  readonly selection: HitSelection
  readonly count: number
  /** The typed text is not searched for yet. */
  readonly pending: boolean
  readonly select: (selection: HitSelection) => void
  readonly submit: () => void
  readonly open: () => void
  readonly openFolder: () => void
  readonly showMenu: () => void
}

/** Rows that PageUp and PageDown move by. */
const PAGE = 8

/** The keys of the search field that control the list of hits. */
export function searchKeys(options: SearchKeysOptions): (event: KeyboardEvent<HTMLInputElement>) => void {
  const { selection, count, pending, select, submit, open, openFolder, showMenu } = options
  const onEnter = (isWithControl: boolean): void => {
    if (pending) submit()
    else if (count > 0 && isWithControl) openFolder()
    else if (count > 0) open()
  }
  return (event) => {
    if (event.nativeEvent.isComposing) return
    const { key, shiftKey, ctrlKey, metaKey } = event
    const { active } = selection
    const target = nextListIndex(key, { index: active, count, page: PAGE })
    if (target !== undefined) select(shiftKey ? selection.extendTo(target) : selection.moveTo(target))
    else if (key === 'Enter') onEnter(ctrlKey || metaKey)
    else if (key === ' ' && ctrlKey) select(selection.toggle(active))
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) showMenu()
    else return
    event.preventDefault()
  }
}
