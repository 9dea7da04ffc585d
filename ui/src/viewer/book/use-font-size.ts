import { useState } from 'react'

const KEY = 'filemgr:book-font'
const SMALLEST = 100
const LARGEST = 150
const STEP = 10
const USUAL = 120

/** The size of the letters in books, in percent; kept in this browser. */
export function useFontSize() {
  const [size, setSize] = useState(() => {
    const kept = Number(localStorage.getItem(KEY) ?? USUAL)
    return kept >= SMALLEST && kept <= LARGEST ? kept : USUAL
  })
  const change = (by: number): void => {
    const next = Math.min(LARGEST, Math.max(SMALLEST, size + by))
    setSize(next)
    localStorage.setItem(KEY, String(next))
  }
  return { size, smaller: () => change(-STEP), larger: () => change(STEP) }
}
