import { type Static, Type } from 'typebox'
import { nameProblem, stemLength } from '../name-text.ts'

/** Pictures that can be edited: what browsers write as well as they read. */
export const EDITABLE = /\.(jpe?g|png|webp)$/i

const Pixels = Type.Integer({ minimum: 0, maximum: 65_535 })
const Length = Type.Integer({ minimum: 1, maximum: 65_535 })

/** How a picture is turned, and then cropped. */
export const PictureEdit = Type.Object(
  {
    turns: Type.Integer({ minimum: 0, maximum: 3, description: 'Quarter turns clockwise' }),
    crop: Type.Optional(
      Type.Object(
        { left: Pixels, top: Pixels, width: Length, height: Length },
        { description: 'In pixels of the upright, turned picture' },
      ),
    ),
  },
  { additionalProperties: false },
)
export type PictureEdit = Static<typeof PictureEdit>

/** The name of an edited copy: "sea (edited).jpg"; the same for a copy of the copy. A very long name is shortened. */
export function editedName(name: string): string {
  const end = stemLength(name, false)
  const letters = [...name.slice(0, end).replace(/ \(edited\)(\(\d+\))?$/, '')]
  const edited = () => `${letters.join('')} (edited)${name.slice(end)}`
  while (letters.length > 0 && nameProblem(edited()) === 'tooLong') letters.pop()
  return edited()
}
