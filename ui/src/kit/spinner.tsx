import styles from './spinner.module.css'

/** Decoration: what is busy says so itself (`aria-busy`, a status text). */
export function Spinner({ size = 18 }: { size?: 16 | 18 | 24 }) {
  return <span className={styles['spinner']} style={{ inlineSize: size, blockSize: size }} aria-hidden="true" />
}
