import { splitFileName } from '../lib/split-file-name.ts'
import styles from './file-name.module.css'

/** A name that gives way in its middle; the extension stays. The full name belongs into the `title` of what holds it. */
export function FileName({ name }: { name: string }) {
  const { stem, tail } = splitFileName(name)
  return (
    <bdi className={styles['name']}>
      <span>{stem}</span>
      {tail && <span>{tail}</span>}
    </bdi>
  )
}
