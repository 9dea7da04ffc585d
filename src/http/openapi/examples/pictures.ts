import { NO_DOWNLOAD } from './files.ts'
import type { Examples } from './operation-example.ts'

export const PICTURE_EXAMPLES: Examples = {
  'previews.get': {
    description: 'Images that need no resizing are sent unchanged.',
    params: { size: 'thumb', '*': 'pictures/beach.jpg' },
    query: { inline: 'true', key: '1772357400' },
    headers: { Accept: { description: 'Image formats that the client supports', example: 'image/avif,image/webp' } },
    replies: {
      200: { description: 'The thumbnail, or the unchanged file', mediaType: '*/*' },
      202: NO_DOWNLOAD,
      206: { mediaType: '*/*' },
      501: { description: 'There is no preview of this file' },
    },
  },
  'pictures.edit': {
    description:
      'The copy is named "beach (edited).jpg", or with the next free number. It has the colours and EXIF data of the picture, ' +
      'without the orientation, which is applied first, and without the small picture that cameras embed.',
    params: { '*': 'pictures/beach.jpg' },
    body: { turns: 1, crop: { left: 0, top: 120, width: 1200, height: 900 } },
    replies: {
      200: { value: { path: '/pictures/beach (edited).jpg' } },
      400: { description: 'The part to keep is not inside the picture' },
      415: { description: 'Not a picture in one of these formats, or an animation' },
    },
  },
  'subtitles.get': {
    params: { '*': 'films/long.srt' },
    query: { inline: 'true' },
    replies: {
      200: {
        mediaType: 'text/vtt',
        value: 'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nHello.\n\n',
      },
      202: NO_DOWNLOAD,
      206: { mediaType: 'text/vtt', value: 'WEBVTT' },
    },
  },
}
