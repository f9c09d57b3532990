// Defines the streams that React Router's pages need, in the head of every page: Firefox has
// pipeThrough and TransformStream since 102, TextEncoderStream since 113.
(() => {
  window.TransformStream ??= function ({ transform, flush }) {
    let out;
    this.readable = new ReadableStream({ start: (controller) => void (out = controller) });
    this.writable = new WritableStream({
      write: (chunk) => transform(chunk, out),
      close: () => {
        if (flush) flush(out);
        out.close();
      },
      abort: (reason) => out.error(reason),
    });
  };
  ReadableStream.prototype.pipeThrough ??= function ({ readable, writable }) {
    this.pipeTo(writable).catch(() => {});
    return readable;
  };
  window.TextEncoderStream ??= function () {
    const encoder = new TextEncoder();
    return new TransformStream({ transform: (text, out) => out.enqueue(encoder.encode(text)) });
  };
})();
