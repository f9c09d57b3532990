// An image with a replacement: whether an image can be loaded is known to the browser alone.
import { useEffect, useRef, useState } from "react";

export function Picture({ src, fallback, ...rest }) {
  const [hasFailed, setFailed] = useState(false);
  const image = useRef(null);
  useEffect(() => {
    // It may have failed before React listened.
    const { complete, naturalWidth } = image.current;
    setFailed(complete && !naturalWidth);
  }, [src]);
  return <img {...rest} ref={image} src={hasFailed ? fallback : src} onError={() => setFailed(true)} />;
}
