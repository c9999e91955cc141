// java -cp weka.jar WekaValues.java FILE...: what Weka reads of each ARFF file, a line of JSON.
import java.io.File;
import weka.core.Attribute;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.converters.ArffLoader;

public class WekaValues {
  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c < ' ' || c == '"' || c == '\\' || c > '~') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  static String entry(Attribute attribute, Instance row) {
    if (row.isMissing(attribute)) return "null";
    if (attribute.isNominal() || attribute.isString()) return quoted(row.stringValue(attribute));
    return Double.toString(row.value(attribute));
  }

  static String read(String path) throws Exception {
    ArffLoader loader = new ArffLoader();
    loader.setFile(new File(path));
    Instances data = loader.getDataSet();
    StringBuilder out = new StringBuilder("{\"columns\": {");
    String comma = "";
    for (int j = 0; j < data.numAttributes(); ++j) {
      if (data.attribute(j).isRelationValued()) continue;
      out.append(comma).append(quoted(data.attribute(j).name())).append(": [");
      comma = ", ";
      for (int i = 0; i < data.numInstances(); ++i) {
        out.append(i > 0 ? ", " : "").append(entry(data.attribute(j), data.instance(i)));
      }
      out.append("]");
    }
    out.append("}, \"weights\": [");
    for (int i = 0; i < data.numInstances(); ++i) {
      out.append(i > 0 ? ", " : "").append(data.instance(i).weight());
    }
    return out.append("]}").toString();
  }

  public static void main(String[] paths) {
    for (String path : paths) {
      try {
        System.out.println(read(path));
      } catch (Exception problem) {
        System.out.println("{\"error\": " + quoted(String.valueOf(problem.getMessage())) + "}");
      }
    }
  }
}
