import { useSyncExternalStore } from 'react'

/** A small piece of client state outside React. Values are replaced, never mutated. */
export interface Store<State> {
  get(): State
  set(next: State | ((current: State) => State)): void
  /** Calls back after every change. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

export function createStore<State>(initial: State): Store<State> {
  const listeners = new Set<() => void>()
  let state = initial
  return {
    get: () => state,
    set(next) {
      const value = typeof next === 'function' ? (next as (current: State) => State)(state) : next
      if (Object.is(value, state)) return
      state = value
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Subscribes to a store, or to the part that `select` returns. Renders again only when that part changes, so `select`
 * must return the same object while nothing changed.
 */
export function useStore<State>(store: Store<State>): State
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part
export function useStore<State, Part>(store: Store<State>, select?: (state: State) => Part): State | Part {
  return useSyncExternalStore(store.subscribe, () => (select ? select(store.get()) : store.get()))
}
