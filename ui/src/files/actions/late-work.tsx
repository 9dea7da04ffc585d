import { type ComponentType, createContext, useContext } from 'react'
import { createStore, type Store } from '../../lib/create-store.ts'
import type { Arrival, Held, Target, Work, WorkAction, WorkItem } from './work.ts'

type ActionsOf = (target: Target) => readonly WorkAction[]

/** What stands beside an entry of the listing. */
export type EntryMark = ComponentType<{ readonly href: string; readonly tile?: boolean }>

/** Lets the name be changed where it stands. False when it cannot: then it is asked for. */
type RenameInPlace = (item: WorkItem) => boolean

export interface LateWork extends Work {
  readonly held: Store<Held | null>
  readonly arrivals: Store<Arrival | null>
  /** What can be done with a selection, once the code for it is there. */
  readonly actions: Store<ActionsOf>
  /** What can be done on the screen that is shown, also what makes no sense just now. */
  readonly offered: Store<readonly WorkAction[]>
  /** Of the listing that is shown. */
  readonly inPlace: Store<RenameInPlace>
  readonly mark: Store<EntryMark | null>
  /** What is dragged in the page, from one folder to the next. */
  readonly dragged: { current: readonly WorkItem[] | null }
  /** Somebody is about to need it: its code is fetched. */
  readonly wanted: Store<boolean>
  /** Something was asked for whose code is on its way: keys belong to what it will open. */
  readonly coming: Store<number>
  /** Resolves once `actions` tells what can be done. */
  prepare(): Promise<void>
  /** Says how to get the rest; what was asked before is done then. */
  ready(load: () => Promise<Work>): void
}

/** Lets every screen ask for work while its code is still on its way, so that the first rows need not wait for it. */
export function createLateWork(arrivals: Store<Arrival | null>): LateWork {
  const { promise, resolve } = Promise.withResolvers<() => Promise<Work>>()
  const wanted = createStore(false)
  const coming = createStore(0)
  const whenReady = async (): Promise<Work> => {
    wanted.set(true)
    coming.set((count) => count + 1)
    try {
      const load = await promise
      return await load()
    } finally {
      coming.set((count) => count - 1)
    }
  }
  const own = {
    held: createStore<Held | null>(null),
    arrivals,
    actions: createStore<ActionsOf>(() => []),
    offered: createStore<readonly WorkAction[]>([]),
    inPlace: createStore<RenameInPlace>(() => false),
    mark: createStore<EntryMark | null>(null),
    dragged: { current: null },
    wanted,
    coming,
    prepare: async (): Promise<void> => {
      wanted.set(true)
      await promise
    },
    ready: resolve,
  }
  const call =
    (name: keyof Work) =>
    async (...input: never[]): Promise<unknown> => {
      const work = await whenReady()
      return await (work[name] as (...input: never[]) => Promise<unknown>)(...input)
    }
  return new Proxy(own as unknown as LateWork, {
    get: (_own, name) => (name in own ? own[name as keyof typeof own] : call(name as keyof Work)),
  })
}

const WorkContext = createContext<LateWork | undefined>(undefined)

export const WorkProvider = WorkContext.Provider

/** `const work = useWork(); await work.remove(items)` */
export function useWork(): LateWork {
  const work = useContext(WorkContext)
  if (work === undefined) throw new Error('WorkProvider is missing above this component')
  return work
}
