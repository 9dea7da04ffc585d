import styles from './skeleton.module.css'

interface SkeletonProps {
  /** Pixels, or any CSS length. */
  width: number | string
  height?: number | string | undefined
}

/** A grey bar in place of a text that is still loading. Show it after 200 ms only, or fast answers flicker. */
export function Skeleton({ width, height = 10 }: SkeletonProps) {
  return <span className={styles['skeleton']} style={{ inlineSize: width, blockSize: height }} aria-hidden="true" />
}
