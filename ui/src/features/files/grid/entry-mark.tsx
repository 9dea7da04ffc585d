import { type EntryMark as Mark, useEntryMark } from '../../../work/late-work.tsx'

/** What is known of an entry besides, once the code that knows it is there. */
export const EntryMark: Mark = (props) => {
  const Drawn = useEntryMark()
  return Drawn && <Drawn {...props} />
}
