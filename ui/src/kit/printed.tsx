import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import styles from './printed.module.css'

interface PrintedProps {
  /** Called when the browser is about to print. */
  readonly children: () => ReactNode
}

/** Takes the place of the element before it on paper, where that element holds only what is seen on the screen. */
export function Printed({ children }: PrintedProps) {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    // The browser takes its picture of the page as soon as the event is over.
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
