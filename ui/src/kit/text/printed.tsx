import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import styles from './printed.module.css'

interface PrintedProps {
  /** Called when the browser is about to print. */
  readonly children: () => ReactNode
}

/** Replaces the preceding element in print, because that renders only what is visible on screen. */
export function Printed({ children }: PrintedProps) {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    // The browser captures the page as soon as the event handlers return.
    const begin = (): void => flushSync(() => setPrinting(true))
    const end = (): void => setPrinting(false)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return (
    printing && (
      <div className={styles['printed']} data-printed="">
        {children()}
      </div>
    )
  )
}

/** Characters. That is a few hundred pages; more would keep the browser busy for minutes. */
const MAX_LENGTH = 500_000

/** Prints a text, wrapped to the width of the paper. */
export function PrintedText({ read }: { readonly read: () => string }) {
  return <Printed>{() => <pre dir="ltr">{shortened(read())}</pre>}</Printed>
}

function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
}
