import { useEffect, useState } from 'react'
import { openChapter, type Chapter } from './chapter.ts'
import type { Zip } from './zip.ts'

/** A chapter of a book; the one before stays until it is there. @throws while rendering what is wrong with it */
export function useChapter(zip: Zip, path: string): Chapter | undefined {
  const [chapter, setChapter] = useState<Chapter>()
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    let current = true
    let opened: Chapter | undefined
    openChapter(zip, path).then(
      (made) => {
        opened = made
        if (current) setChapter(made)
        else forget(made)
      },
      (error: unknown) => current && setProblem(error instanceof Error ? error : new Error(String(error))),
    )
    return () => {
      current = false
      if (opened) forget(opened)
    }
  }, [zip, path])
  if (problem !== undefined) throw problem
  return chapter
}

function forget(chapter: Chapter): void {
  for (const address of chapter.addresses) URL.revokeObjectURL(address)
}
