import { Readable } from 'node:stream'
import type { Actor } from '../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { IMAGE_HEAD_BYTES } from '../../domain/files/media/image-head.ts'
import { EDITABLE, editedName, type PictureEdit } from '../../domain/files/media/picture-edit.ts'
import { childOf, nameOf, parentOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Images } from '../../platform/images/image-processes.ts'
import type { AccessService } from '../access/access.ts'
import type { Files } from './files.ts'
import { freeName } from './free-name.ts'
import { openFile } from './open-file.ts'
import { pictureOrder } from './previews/picture-order.ts'

export interface PictureEditsDeps {
  readonly access: Pick<AccessService, 'at'>
  readonly images: Images
  readonly files: Pick<Files, 'create'>
}

/** Free names that others may take, one after the other, before this gives up. */
const ATTEMPTS = 5

/** Edited copies of pictures, made by the image processes and created like any uploaded file. */
export function createPictureEdits({ access, images, files: { create } }: PictureEditsDeps) {
  return {
    /**
     * Saves an edited copy beside the picture, under the next free name.
     *
     * @returns the path of the copy
     * @throws FORBIDDEN, NOT_FOUND; UNSUPPORTED, TOO_LARGE, BUSY; QUOTA_EXCEEDED, NO_SPACE
     */
    async save(actor: Actor, text: string, edit: PictureEdit, signal: AbortSignal): Promise<{ path: VirtualPath }> {
      using files = await access.at(actor, text)
      const { path } = files
      files.require('pictures.edit', path)
      files.requireAllowed(path)
      const copy = childOf(parentOf(path), editedName(nameOf(path)))
      files.requireAllowed(copy)
      await using file = await openFile(files, path)
      if (file === undefined || !EDITABLE.test(path))
        fail('UNSUPPORTED', 'only JPEG, PNG and WebP pictures can be edited')
      const head = await file.head(IMAGE_HEAD_BYTES)
      const { bytes } = await images.make({ ...pictureOrder({ file, head }, edit, signal), owner: files.countsAs })
      // Making it takes seconds, in which the right to read may have gone.
      files.requireStill()
      for (let attempt = 1; ; attempt += 1) {
        const to = await freeName(copy, async (name) => !(await files.scope.exists(name)))
        const upload = { body: Readable.from([bytes]), length: bytes.length, override: false, onlyNew: true, signal }
        try {
          const path = files.shown(to)
          await create(actor, path, upload)
          return { path }
        } catch (error) {
          if (!isFilemgrError(error, 'PRECONDITION_FAILED') || attempt === ATTEMPTS) throw error
        }
      }
    },
  }
}
