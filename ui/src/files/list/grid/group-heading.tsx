interface GroupHeadingProps {
  readonly title: string
  readonly className: string | undefined
  /** Pixels from the first line. */
  readonly start: number
  /** Its place among the rows, and how many cells it takes. */
  readonly row: number
  readonly cells: number
}

/** The row above the entries of a group. */
export function GroupHeading({ title, className, start, row, cells }: GroupHeadingProps) {
  return (
    <div role="row" className={className} style={{ transform: `translateY(${start}px)` }} aria-rowindex={row}>
      <div role="gridcell" aria-colspan={cells}>
        <h2>{title}</h2>
      </div>
    </div>
  )
}
