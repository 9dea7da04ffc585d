import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { nameOf } from '../../../../src/domain/virtual-path.ts'
import { useClient } from '../../api/client-context.tsx'
import { useLiveEvent } from '../../api/live-events.ts'
import { useUser } from '../../api/session-context.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { usePrompt, usePromptStack } from '../../kit/dialog/prompt-stack.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import { filesHref } from '../../lib/app-path.ts'
import { carriesFiles } from '../../lib/carries-files.ts'
import { useStore } from '../../lib/create-store.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { useNavigateTo } from '../../lib/use-navigate-to.ts'
import { createActivity, type Activity } from './activity.ts'
import { noteJob } from './jobs-query.ts'
import { useWork } from './late-work.tsx'
import { selectionActions } from './selection-actions.ts'
import { createUndoStack } from './undo-stack.ts'
import type { WorkDeps } from './work-deps.ts'
import type { Target, TransferKind, Work, WorkItem } from './work.ts'

/**
 * Makes the work ready that the screens ask for, with what only components can reach.
 *
 * @param share shows the links of a thing
 */
export function useWorkRoot(share: WorkDeps['share']): Activity {
  const [activity] = useState(createActivity)
  useActions()
  useReadyWork(activity, share)
  useKeys()
  useClipboardEvents()
  return activity
}

function useReadyWork(activity: Activity, share: WorkDeps['share']): void {
  const client = useClient()
  const queries = useQueryClient()
  const ask = usePrompt()
  const toasts = useToasts()
  const navigateTo = useNavigateTo()
  const work = useWork()
  const announce = useAnnounce()
  const latest = useLatest({ text: useText(), user: useUser(), share })
  const [undoStack] = useState(createUndoStack)
  useLiveEvent('job', (job) => {
    // Administrators are told of everybody's.
    if (job.userID === latest.current.user?.id) noteJob(queries, job)
  })
  useEffect(() => {
    const deps: WorkDeps = {
      client,
      queries,
      ask,
      toasts,
      activity,
      undoStack,
      held: work.held,
      arrivals: work.arrivals,
      text: (id, values) => latest.current.text(id, values),
      user: () => latest.current.user,
      share: (item) => latest.current.share(item),
      announce,
      goTo: (folder) => navigateTo(filesHref(folder === '/' ? folder : `${folder}/`)),
    }
    let made: Promise<Work> | undefined
    work.ready(() => (made ??= import('./create-work.ts').then(({ createWork }) => createWork(deps))))
  }, [client, queries, ask, toasts, navigateTo, announce, work, activity, undoStack, latest])
}

/** Tells the listing what can be done with what is selected. */
function useActions(): void {
  const t = useText()
  const work = useWork()
  const user = useUser()
  const announce = useAnnounce()
  const held = useStore(work.held)
  const latest = useLatest({ t, announce })
  useEffect(() => {
    if (user === undefined) return
    const hold = (kind: TransferKind, target: Target): void => {
      const { t: text, announce: say } = latest.current
      work.held.set({ kind, items: target.items() })
      say(text(kind === 'copy' ? 'work.held' : 'work.heldCut'))
    }
    const renameInPlace = (item: WorkItem): boolean => work.inPlace.get()(item)
    const deps = { text: latest.current.t, permissions: user.perm, work, held, hold, renameInPlace }
    work.actions.set(() => (target: Target) => selectionActions(deps, target))
  }, [work, user, held, latest])
}

/** The keys of what the screen offers, and of undo. */
function useKeys(): void {
  const t = useText()
  const work = useWork()
  const offered = useStore(work.offered)
  const keys = offered.filter((action) => action.keys !== '')
  useShortcuts([
    ...keys.map(({ keys: press, label, group, listedOnly, run }) => ({
      keys: press,
      label,
      group,
      run: listedOnly === true ? undefined : () => run?.(),
    })),
    { keys: 'Ctrl+Z', label: t('work.undo'), group: 'act' as const, run: () => void work.undo() },
  ])
}

/**
 * Copy, cut and paste as the browser tells them, so that text that is selected and files of the desktop keep their own
 * clipboard. What is copied here leaves its names there, which takes the place of files that were copied before.
 */
function useClipboardEvents(): void {
  const work = useWork()
  const prompts = usePromptStack().open
  useEffect(() => {
    const listening = new AbortController()
    const handle = (event: ClipboardEvent): void => {
      if (event.defaultPrevented || prompts.get().length > 0 || isText(event.target)) return
      const action = work.offered.get().find(({ id }) => id === event.type)
      if (event.type === 'paste' ? carriesFiles(event.clipboardData) : !getSelection()?.isCollapsed) return
      const run = action?.run ?? action?.byKeys
      if (run === undefined) return
      run()
      const names = work.held.get()?.items.map(({ path }) => nameOf(path)) ?? []
      if (event.type !== 'paste') event.clipboardData?.setData('text/plain', names.join('\n'))
      event.preventDefault()
    }
    for (const type of ['copy', 'cut', 'paste'] as const) addEventListener(type, handle, listening)
    return () => listening.abort()
  }, [work, prompts])
}

function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type=checkbox]), textarea, [contenteditable]') !== null
}
