import { useEffect, useState } from 'react'
import {
  compileSearchQuery,
  foldOfTerm,
  parseSearchQuery,
  type SearchQuery,
} from '../../../../src/domain/files/search-query.ts'
import { rangesOf } from '../../../../src/domain/text/find-in-text.ts'
import { type Client, useClient } from '../../api/client.ts'
import { searchLines } from '../../api/search.ts'
import { isWorthAsking, NO_REQUEST } from '../../files/search/search-request.ts'
import { createSearchRun, type FoundEntry, type SearchState } from '../../files/search/search-run.ts'
import { reportBug } from '../../files/search/searches.ts'
import { lastSegment } from '../../lib/navigation/app-path.ts'
import type { FoundItem } from './palette-item.ts'

/** Milliseconds without a key press until the server is asked. */
const PAUSE = 150
const MAX_HITS = 8

export interface FoundFiles {
  /** Undefined for texts that are too short to search for. */
  readonly status: SearchState['status'] | undefined
  /** The first files and folders whose names contain all words. */
  readonly hits: readonly FoundEntry[]
  /** The search itself, which takes one of the words, has results. */
  readonly any: boolean
}

const NONE: FoundFiles = { status: undefined, hits: [], any: false }

/**
 * Files and folders that the server finds for a text. The hits of an earlier text stay as far as they match, until the
 * server has answered.
 */
export function useFoundFiles(text: string, foldersOnly: boolean): FoundFiles {
  const client = useClient()
  const isAsked = isWorthAsking({ ...NO_REQUEST, text })
  const asked = isAsked ? `${foldersOnly}\n${text}` : ''
  const [found, setFound] = useState({ ...NONE, asked: '' })
  useEffect(() => {
    if (asked === '') return
    let stop: (() => void) | undefined
    const timer = setTimeout(() => {
      stop = follow(client, text, createNameFilter(text, foldersOnly), (files) => setFound({ ...files, asked }))
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      stop?.()
    }
  }, [client, asked, text, foldersOnly])
  if (!isAsked) return NONE
  if (found.asked === asked) return found
  return { status: 'running', hits: found.hits.filter(createNameFilter(text, foldersOnly)), any: found.any }
}

/** Searches until there are enough hits. @returns stops it; nothing is shown after that */
function follow(
  client: Client,
  query: string,
  isHit: (entry: FoundEntry) => boolean,
  show: (found: FoundFiles) => void,
): () => void {
  const lines = (signal: AbortSignal) => searchLines(client, '/', { query }, signal)
  const run = createSearchRun({ folder: '/', lines, onError: reportBug })
  const unfollow = run.state.subscribe(() => {
    const { status, hits } = run.state.get()
    const shown = hits.filter(isHit).slice(0, MAX_HITS)
    const isEnough = shown.length === MAX_HITS
    if (isEnough) stop()
    show({ status: isEnough ? 'stopped' : status, hits: shown, any: hits.length > 0 })
  })
  const stop = (): void => {
    unfollow()
    run.stop()
  }
  return stop
}

function createNameFilter(text: string, foldersOnly: boolean): (entry: FoundEntry) => boolean {
  const query = parseSearchQuery(text)
  const words = termsOf(query).map((terms) => compileSearchQuery({ ...query, terms }))
  return ({ path, isDir }) => (isDir || !foldersOnly) && words.every((matches) => matches(lastSegment(path)))
}

/** Each term alone; without terms, a query of types only. */
function termsOf({ terms }: SearchQuery): string[][] {
  return terms.length === 0 ? [[]] : terms.map((term) => [term])
}

/** Marks what a search found in a name. */
export function matchOf(label: string, text: string): FoundItem['match'] {
  const query = parseSearchQuery(text)
  const found = query.terms.flatMap((term) => rangesOf(label, term, foldOfTerm(term, query)))
  const ranges: [number, number][] = []
  for (const [start, end] of found.sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  return { score: 0, ranges }
}
